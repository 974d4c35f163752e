import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { describe, expect, it, vi } from 'vitest';

import { insertMagic } from '../src/command/insert';
import { Loader } from '../src/command/loader';
import { isProfiled } from '../src/command/magicline';
import type { ITarget } from '../src/command/profilecell';
import { profileCell } from '../src/command/profilecell';
import { makeCell, trans } from './stage';

type Reply = (content: object) => void;

const LOADED = {
  status: 'ok',
  user_expressions: {
    loaded: { status: 'ok', data: { 'text/plain': 'True' } },
    executable: { status: 'ok', data: { 'text/plain': "'/usr/bin/python'" } }
  }
};

function answering(loaded: object, executable = "'/usr/bin/python'"): object {
  const shown = { status: 'ok', data: { 'text/plain': executable } };
  return { status: 'ok', user_expressions: { loaded, executable: shown } };
}

const MISSING = { status: 'ok', data: { 'text/plain': 'False' } };

/** A kernel that answers at once with `content`; null: when the test says so. */
function makeKernel(content: object | null = LOADED, language = 'python') {
  const owner = {};
  const statusChanged = new Signal<object, Kernel.Status>(owner);
  const disposed = new Signal<object, undefined>(owner);
  const replies: Reply[] = [];
  const dispose = vi.fn();
  const requestExecute = vi.fn<(content: object) => object>(() => ({
    dispose,
    done:
      content === null
        ? new Promise(resolve => {
            replies.push(late => {
              resolve({ content: late });
            });
          })
        : Promise.resolve({ content })
  }));
  const kernel = {
    spec: Promise.resolve({ language }),
    status: 'idle',
    isDisposed: false,
    statusChanged,
    disposed,
    requestExecute
  };
  return { kernel, replies, statusChanged, disposed, requestExecute, dispose };
}

type Staged = ReturnType<typeof makeKernel>;

function stage(source: string, { kernel }: Pick<Staged, 'kernel'>) {
  const made = makeCell(source);
  const cell = { ...made.widget, editor: null };
  const run = vi.fn(() => Promise.resolve(true));
  const target = {
    cell,
    waitsForInput: false,
    run,
    kernel: () =>
      Promise.resolve(kernel as unknown as Kernel.IKernelConnection | null)
  };
  const around = {
    trans,
    loader: new Loader(),
    say: vi.fn<(sentence: string) => Promise<void>>(() => Promise.resolve()),
    sayMissing: vi.fn<(executable: string) => Promise<void>>(() =>
      Promise.resolve()
    ),
    openPanel: vi.fn(() => Promise.resolve())
  };
  const start = () => profileCell(target satisfies ITarget, around);
  return { ...made, target, around, run, start, edited: cell };
}

describe('isProfiled', () => {
  it.each([
    ['%%mlprof', true],
    ['\n\n  %%mlprof -n run\nx = 1', true],
    ['# why\n\n%%mlprof\nx = 1', true],
    ['%%mlprof_auto\nx', false],
    ['%mlprof f()', false],
    ['x = 1\n%%mlprof', false],
    ['%%time\n%%mlprof\nx', false],
    ['', false]
  ])('of %j is %s', (source, answer) => {
    expect(isProfiled(source)).toBe(answer);
  });
});

describe('Profile this cell', () => {
  it('loads the extension, puts the magic on the cell and runs it', async () => {
    const staged = makeKernel();
    const { start, shared, run, around } = stage('train()', staged);
    run.mockImplementation(() => {
      expect(shared.getSource()).toBe('%%mlprof\ntrain()');
      expect(around.openPanel).not.toHaveBeenCalled();
      return Promise.resolve(true);
    });
    await start();
    expect(run).toHaveBeenCalledOnce();
    expect(around.openPanel).toHaveBeenCalledOnce();
    expect(around.say).not.toHaveBeenCalled();
    shared.undo();
    expect(shared.getSource()).toBe('train()');
  });

  it('asks the kernel without a trace', async () => {
    const staged = makeKernel();
    await stage('train()', staged).start();
    expect(staged.requestExecute).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        code: '',
        silent: true,
        store_history: false,
        allow_stdin: false,
        stop_on_error: false
      })
    );
  });

  it('goes above another magic, and is not put twice', async () => {
    const other = stage('%%time\nx = 1', makeKernel());
    await other.start();
    expect(other.shared.getSource()).toBe('%%mlprof\n%%time\nx = 1');
    const same = stage('# a\n%%mlprof -n b\nx', makeKernel());
    await same.start();
    expect(same.shared.getSource()).toBe('# a\n%%mlprof -n b\nx');
    expect(same.run).toHaveBeenCalledOnce();
  });

  it('says how to install what the environment lacks', async () => {
    const path = "'C:\\\\Users\\\\ada\\\\python.exe'";
    const { start, shared, run, around } = stage(
      'train()',
      makeKernel(answering(MISSING, path))
    );
    await start();
    expect(around.sayMissing).toHaveBeenCalledExactlyOnceWith(
      'C:\\Users\\ada\\python.exe'
    );
    expect(shared.getSource()).toBe('train()');
    expect(run).not.toHaveBeenCalled();
    expect(around.openPanel).not.toHaveBeenCalled();
  });

  it.each([
    [
      answering({ status: 'error', ename: 'ImportError', evalue: 'Broken.' }),
      'jupyter_mlprof could not be loaded in this kernel. Broken.'
    ],
    [{ status: 'error' }, /could not be loaded/],
    [{ status: 'ok', user_expressions: { loaded: 7 } }, /could not be loaded/]
  ])('says what else stands in the way (case %#)', async (reply, sentence) => {
    const { start, shared, run, around } = stage('train()', makeKernel(reply));
    await start();
    expect(around.say).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(sentence)
    );
    expect(shared.getSource()).toBe('train()');
    expect(run).not.toHaveBeenCalled();
  });

  it('refuses with a sentence, and asks nothing of the kernel', async () => {
    const cases: [RegExp, string, (made: ReturnType<typeof stage>) => void][] =
      [
        [
          /no kernel/,
          'x',
          ({ target }) => {
            target.kernel = () => Promise.resolve(null);
          }
        ],
        [
          /waits for your input/,
          'x',
          ({ target }) => {
            target.waitsForInput = true;
          }
        ],
        [
          /read-only/,
          'x',
          ({ edited }) => {
            edited.readOnly = true;
          }
        ],
        [/is empty/, ' \n', () => undefined]
      ];
    for (const [sentence, source, prepare] of cases) {
      const staged = makeKernel();
      const made = stage(source, staged);
      prepare(made);
      await made.start();
      expect(made.around.say).toHaveBeenCalledExactlyOnceWith(
        expect.stringMatching(sentence)
      );
      expect(staged.requestExecute).not.toHaveBeenCalled();
      expect(made.shared.getSource()).toBe(source);
      expect(made.run).not.toHaveBeenCalled();
    }
  });

  it('refuses a kernel of another language', async () => {
    const staged = makeKernel(LOADED, 'julia');
    const { start, around, run } = stage('x', staged);
    await start();
    expect(around.say).toHaveBeenCalledExactlyOnceWith(
      'Only Python cells can be profiled; this kernel runs julia.'
    );
    expect(staged.requestExecute).not.toHaveBeenCalled();
    expect(run).not.toHaveBeenCalled();
  });

  it('runs a read-only cell that has the magic', async () => {
    const made = stage('%%mlprof\nx', makeKernel());
    made.edited.readOnly = true;
    await made.start();
    expect(made.run).toHaveBeenCalledOnce();
  });
});

describe('Profile this cell with a busy kernel', () => {
  it('waits, and changes nothing before the answer', async () => {
    const staged = makeKernel(null);
    const { start, shared, run } = stage('train()', staged);
    const ended = start();
    await vi.waitFor(() => {
      expect(staged.replies).toHaveLength(1);
    });
    expect(shared.getSource()).toBe('train()');
    staged.replies[0]?.(LOADED);
    await ended;
    expect(run).toHaveBeenCalledOnce();
  });

  it('looks at the cell again when the answer comes', async () => {
    const staged = makeKernel(null);
    const made = stage('train()', staged);
    const ended = made.start();
    await vi.waitFor(() => {
      expect(staged.replies).toHaveLength(1);
    });
    made.edited.isDisposed = true;
    staged.replies[0]?.(LOADED);
    await ended;
    expect(made.run).not.toHaveBeenCalled();
    expect(made.shared.getSource()).toBe('train()');
  });

  it.each(['restarting', 'autorestarting', 'terminating', 'dead', 'disposed'])(
    'gives up when the kernel is %s',
    async what => {
      const staged = makeKernel(null);
      const { start, run, around, shared } = stage('train()', staged);
      const ended = start();
      await vi.waitFor(() => {
        expect(staged.replies).toHaveLength(1);
      });
      if (what === 'disposed') {
        staged.disposed.emit(undefined);
      } else {
        staged.statusChanged.emit('busy');
        staged.statusChanged.emit(what as Kernel.Status);
      }
      await ended;
      expect(staged.dispose).toHaveBeenCalledOnce();
      expect(run).not.toHaveBeenCalled();
      expect(around.say).not.toHaveBeenCalled();
      expect(shared.getSource()).toBe('train()');
    }
  );

  it('gives up silently when a cell before it failed', async () => {
    const { start, run, around } = stage(
      'train()',
      makeKernel({ status: 'aborted' })
    );
    await start();
    expect(run).not.toHaveBeenCalled();
    expect(around.say).not.toHaveBeenCalled();
  });

  it('does not ask one again that has the extension, until it restarts', async () => {
    const staged = makeKernel();
    const { start, run } = stage('train()', staged);
    await start();
    staged.kernel.status = 'busy';
    await start();
    expect(run).toHaveBeenCalledTimes(2);
    expect(staged.requestExecute).toHaveBeenCalledOnce();
    staged.statusChanged.emit('restarting');
    await start();
    expect(staged.requestExecute).toHaveBeenCalledTimes(2);
    staged.kernel.status = 'idle';
    await start();
    expect(staged.requestExecute).toHaveBeenCalledTimes(3);
  });
});

describe('insertMagic', () => {
  it('keeps every cursor on what it was on', () => {
    const { widget } = makeCell('a\nb');
    const at = (line: number) => ({ line, column: 1 });
    const setSelections = vi.fn();
    insertMagic({
      ...widget,
      editor: {
        ...widget.editor,
        getSelections: () => [{ uuid: 'u', start: at(0), end: at(1) }],
        setSelections
      } as never
    });
    expect(setSelections).toHaveBeenCalledExactlyOnceWith([
      { uuid: 'u', start: at(1), end: at(2) }
    ]);
  });
});
