import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { LiveCell } from '../src/cell';
import { MIME_TYPE } from '../src/mime';
import { tryExpression } from '../src/try/request';
import { Tries } from '../src/try/tries';
import { draw, makeCell, makeProfile, status } from './stage';
import { makeTrial, makeTried, StagedKernel } from './trystage';

const TRYING = 'Trying: original and changed cell run in turn, at most 30 s';
const BUSY = 'The kernel is busy: try this when it is idle.';
const ID = makeProfile().id;

function stage(payload: object = makeProfile(), tries = new Tries()) {
  const kernel = new StagedKernel();
  const made = makeCell(undefined, kernel.session);
  const confirm = vi.fn(() => Promise.resolve(true));
  const card = draw(payload, made.cell, confirm, tries);
  document.body.append(card);
  return { ...made, kernel, card, tries };
}

function button(card: HTMLElement, words: string): HTMLButtonElement {
  const found = [...card.querySelectorAll('button')].find(
    ({ textContent }) => textContent === words
  );
  if (!found) {
    throw new Error(`There is no button “${words}”.`);
  }
  return found;
}

function isOff(card: HTMLElement, words = 'Try it'): boolean {
  return button(card, words).getAttribute('aria-disabled') === 'true';
}

async function press(card: HTMLElement, words: string): Promise<void> {
  await act(async () => {
    button(card, words).focus();
    button(card, words).click();
    await Promise.resolve();
  });
}

/** Let a kernel act, and everything that follows happen. */
async function settle(action: () => void): Promise<void> {
  await act(async () => {
    action();
    await new Promise(resolve => setTimeout(resolve));
  });
}

afterEach(() => {
  document.body.replaceChildren();
});

describe('what the kernel is asked', () => {
  it('is one expression of a number and an id', () => {
    expect(tryExpression({ profileId: ID, number: 2 })).toBe(
      `__import__('jupyter_mlprof').try_fix(2, profile='${ID}').text`
    );
  });

  it.each([
    ["0'*9+'", 1],
    [`${ID}\n`, 1],
    [ID.toUpperCase().replace('0', 'G'), 1],
    ['', 1],
    [ID, 0],
    [ID, 1.5],
    [ID, NaN],
    [ID, 1e9]
  ])('is nothing for id %j and number %j', (profileId, number) => {
    expect(tryExpression({ profileId, number })).toBeNull();
  });

  it('leaves no trace, and runs no cell', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    expect(kernel.requestExecute).toHaveBeenCalledExactlyOnceWith({
      code: '',
      silent: true,
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
      user_expressions: {
        trial: `__import__('jupyter_mlprof').try_fix(1, profile='${ID}').text`
      }
    });
  });

  it('names a finding by its place, whatever stands before it', async () => {
    const profile = makeProfile() as { findings: unknown[] };
    profile.findings.unshift('no finding');
    const { card, kernel } = stage(profile);
    await press(card, 'Try it');
    expect(JSON.stringify(kernel.requestExecute.mock.calls)).toContain(
      'try_fix(2,'
    );
  });

  it('cannot be asked of a profile without an id', () => {
    const { card } = stage({ ...makeProfile(), id: "'+exit()+'" });
    expect(() => button(card, 'Apply')).not.toThrow();
    expect(() => button(card, 'Try it')).toThrow();
  });
});

describe('Try it', () => {
  it('shows the seconds, and the verdict once the profile came', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    expect(status(card)).toBe('Waiting for the kernel …');
    await settle(() => {
      kernel.begin();
    });
    expect(status(card)).toBe(TRYING);
    expect(card.querySelector('[role=timer]')?.textContent).toBe('0 s');
    expect(isOff(card)).toBe(true);
    await settle(() => {
      kernel.update(makeTried(makeTrial()));
      kernel.end("'Pays.'");
    });
    const live = card.querySelector('.jp-MlprofFinding-trial');
    expect(live?.getAttribute('aria-live')).toBe('polite');
    expect(live?.textContent).toContain('Pays: 2.9x faster');
    expect(status(card)).toBe('');
    expect(document.activeElement).toBe(button(card, 'Try again'));
    expect(kernel.dispose).toHaveBeenCalledOnce();
  });

  it('shows the change that was tried, where the kernel chose another', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    const tried = makeTried(makeTrial());
    const [finding] = tried.findings;
    const [edit] = finding?.fix?.edits ?? [];
    Object.assign(finding ?? {}, { title: 'Load with 3 workers' });
    Object.assign(edit ?? {}, { text: ', num_workers=3' });
    await settle(() => {
      kernel.begin();
      kernel.update(tried);
      kernel.end('');
    });
    expect(card.querySelector('summary')?.textContent).toContain('3 workers');
    expect(card.querySelector('ins')?.textContent).toContain('num_workers=3)');
  });

  it('takes no other profile and no other request for its own', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
      kernel.update({ ...makeTried(makeTrial()), id: 'f'.repeat(32) });
      kernel.update(makeProfile());
      kernel.send(
        'update_display_data',
        { data: { [MIME_TYPE]: makeTried(makeTrial()) } },
        99
      );
      kernel.end("'Don\\'t know'");
    });
    expect(card.querySelector('.jp-MlprofTrial')).toBeNull();
    expect(status(card)).toBe("Don't know");
  });

  it('says what the kernel wrote where it replied with nothing', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
      kernel.send('stream', { name: 'stdout', text: 'Does not pay.\n' });
      kernel.end('');
    });
    expect(status(card)).toBe('Does not pay.');
  });

  it.each([
    ['MlprofError', 'Run the cell again.', 'Run the cell again.'],
    ['ValueError', 'no', 'The fix could not be tried. ValueError: no'],
    ['KeyboardInterrupt', '', 'Cancelled: the fix was not tried to the end.'],
    ['ModuleNotFoundError', "No module named 'jupyter_mlprof'", /install or/],
    [
      'AttributeError',
      "module 'jupyter_mlprof' has no attribute 'try_fix'",
      /install or update/
    ]
  ])('shows the one sentence of a %s', async (ename, evalue, said) => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
      kernel.end({ ename, evalue });
    });
    expect(status(card)).toMatch(said);
    expect(isOff(card)).toBe(false);
  });

  it.each([{ status: 'aborted' }, { status: 'ok' }, {}])(
    'bears a reply %j without an answer',
    async reply => {
      const { card, kernel } = stage();
      await press(card, 'Try it');
      await settle(() => {
        kernel.reply(reply);
      });
      expect(status(card)).toBe('The kernel did not try it: try it again.');
    }
  );

  it('says so when the kernel goes away', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
      kernel.become('restarting');
    });
    expect(status(card)).toBe('The kernel went away before the try ended.');
  });

  it('says so when the kernel cannot be asked', async () => {
    const silent = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const { card, kernel } = stage();
    kernel.requestExecute.mockImplementation(() => {
      throw new Error('closed');
    });
    await press(card, 'Try it');
    expect(status(card)).toBe('The kernel could not be asked.');
    silent.mockRestore();
  });

  it('is done again, of what was stored as tried', async () => {
    const { card, kernel } = stage(makeTried(makeTrial()));
    await press(card, 'Try again');
    await settle(() => {
      kernel.begin();
      const text = 'Cannot tell: 0.9x to 1.2x of the speed in 5 pairs.';
      kernel.update(makeTried(makeTrial({ verdict: 'cannot-tell', text })));
      kernel.end('');
    });
    expect(
      card.querySelector('.jp-MlprofTrial-verdict')?.textContent
    ).toContain('Cannot tell: 0.9x');
  });
});

describe('Try it is off, and says why when it is pressed,', () => {
  it('while the kernel is busy', async () => {
    const { card, kernel } = stage();
    await settle(() => {
      kernel.become('busy');
    });
    expect(isOff(card)).toBe(true);
    expect(button(card, 'Try it').title).toBe(BUSY);
    const why = button(card, 'Try it').getAttribute('aria-describedby');
    expect(document.getElementById(why ?? '')?.textContent).toBe(BUSY);
    expect(status(card)).toBe('');
    await press(card, 'Try it');
    expect(status(card)).toBe(BUSY);
    await settle(() => {
      kernel.become('idle');
    });
    expect(status(card)).toBe('');
    expect(isOff(card)).toBe(false);
    expect(kernel.requestExecute).not.toHaveBeenCalled();
  });

  it('without a kernel, and while that starts', async () => {
    const { card, kernel } = stage();
    await settle(() => {
      kernel.become('starting');
    });
    await press(card, 'Try it');
    expect(status(card)).toMatch(/not ready yet/);
    const alone = draw(makeProfile(), makeCell().cell);
    await press(alone, 'Try it');
    expect(status(alone)).toBe('There is no kernel: choose one to try this.');
  });

  it('when the cell has changed', async () => {
    const { card, kernel, shared } = stage();
    await settle(() => {
      shared.updateSource(0, 0, '\n');
    });
    expect(isOff(card)).toBe(true);
    await press(card, 'Try it');
    expect(status(card)).toMatch(/^The cell has changed since this run/);
    expect(kernel.requestExecute).not.toHaveBeenCalled();
  });

  it('but not for a cell that is only read-only', () => {
    const kernel = new StagedKernel();
    const { cell, widget } = makeCell(undefined, kernel.session);
    widget.readOnly = true;
    const card = draw(makeProfile(), cell);
    expect(button(card, 'Apply').disabled).toBe(true);
    expect(isOff(card)).toBe(false);
  });

  it('while another fix is tried in that kernel, in another card, too', async () => {
    const tries = new Tries();
    const { card, cell, kernel } = stage(makeProfile(), tries);
    const other = draw(
      { ...makeProfile(), id: 'a'.repeat(32) },
      cell,
      undefined,
      tries
    );
    await press(card, 'Try it');
    expect(isOff(other)).toBe(true);
    await press(other, 'Try it');
    expect(status(other)).toMatch(/^Another fix is being tried/);
    expect(kernel.requestExecute).toHaveBeenCalledOnce();
    await settle(() => {
      kernel.end('');
    });
    expect(isOff(other)).toBe(false);
  });
});

describe('Cancel', () => {
  it('interrupts the kernel and leaves the focus on the button', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
    });
    await press(card, 'Cancel');
    expect(kernel.interrupt).toHaveBeenCalledOnce();
    expect(status(card)).toBe('Cancelling …');
    expect(document.activeElement).toBe(button(card, 'Try it'));
    await settle(() => {
      kernel.end({ ename: 'KeyboardInterrupt', evalue: '' });
    });
    expect(status(card)).toMatch(/^Cancelled/);
  });

  it('waits for the try to begin: the kernel may run a cell before it', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await press(card, 'Cancel');
    expect(kernel.interrupt).not.toHaveBeenCalled();
    await settle(() => {
      kernel.begin();
    });
    expect(kernel.interrupt).toHaveBeenCalledOnce();
  });

  it('spares what the kernel runs after the try', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    await settle(() => {
      kernel.begin();
      kernel.send('status', { execution_state: 'idle' });
    });
    await press(card, 'Cancel');
    expect(kernel.interrupt).not.toHaveBeenCalled();
  });
});

describe('the time of a try', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is counted while it goes on', async () => {
    const { card, kernel } = stage();
    await press(card, 'Try it');
    act(() => {
      kernel.begin();
    });
    act(() => {
      vi.advanceTimersByTime(12_400);
    });
    expect(card.querySelector('[role=timer]')?.textContent).toBe('12 s');
  });
});

describe('the output that holds the profile', () => {
  const before = { output_type: 'display_data', metadata: { kept: 1 } };
  const bundle = { [MIME_TYPE]: makeTried(makeTrial()), 'text/plain': 'new' };

  function renewed(data: object) {
    const { widget } = makeCell();
    const set = vi.fn();
    const get = () => ({ toJSON: () => ({ ...before, data }) });
    Object.assign(widget.model, { outputs: { length: 1, get, set } });
    new LiveCell(widget, true).renew(ID, bundle);
    return set;
  }

  it('is renewed where the application did not', () => {
    expect(
      renewed({ [MIME_TYPE]: makeProfile(), 'text/plain': 'old' })
    ).toHaveBeenCalledExactlyOnceWith(0, { ...before, data: bundle });
  });

  it.each([
    { [MIME_TYPE]: makeTried(makeTrial()) },
    { [MIME_TYPE]: { ...makeProfile(), id: 'f'.repeat(32) } },
    { 'text/plain': 'print' }
  ])('is left alone where it is renewed or another (case %#)', data => {
    expect(renewed(data)).not.toHaveBeenCalled();
  });
});
