import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ILiveRun } from '../src/server/live';
import {
  listed,
  liveRun,
  profileOf,
  runId,
  settle,
  Stage,
  StagedCell,
  StagedNotebook
} from './panelstage';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A notebook of two profiled cells and one without a profile. */
function notebook(path = 'a.ipynb'): StagedNotebook {
  return new StagedNotebook(path, [
    new StagedCell('one', undefined, profileOf('one', 1)),
    new StagedCell('two', undefined, profileOf('two', 2)),
    new StagedCell('three', 'pass')
  ]);
}

describe('the panel without anything to show', () => {
  it('says that no notebook is open', async () => {
    const stage = await new Stage().open();
    expect(stage.content).toBe('Open a notebook: its profiles are shown here.');
    expect(stage.service.list).not.toHaveBeenCalled();
  });

  it('says how to make a profile', async () => {
    const cells = [new StagedCell('one', 'pass')];
    const stage = await new Stage(new StagedNotebook('a.ipynb', cells)).open();
    expect(stage.content).toBe(
      'No profile yet: put %%mlprof on a cell and run it.'
    );
  });

  it('says what the kernel lacks', async () => {
    const cell = new StagedCell('one');
    cell.print('UsageError: Cell magic `%%mlprof` not found.\n');
    const stage = new Stage(new StagedNotebook('a.ipynb', [cell]));
    await stage.open();
    expect(stage.content).toContain('run %load_ext jupyter_mlprof');
  });

  it.each([
    [{ schema_version: 2 }, /newer jupyter_mlprof/],
    ['junk', /not a profile/]
  ])('says why the output %j cannot be read', async (payload, sentence) => {
    const cells = [new StagedCell('one', undefined, payload)];
    const stage = await new Stage(new StagedNotebook('a.ipynb', cells)).open();
    expect(stage.content).toMatch(sentence);
    expect(stage.listed).toHaveLength(1);
  });

  it('says that the list of earlier runs did not come', async () => {
    const stage = new Stage(notebook());
    stage.runs = { kind: 'failed', message: 'The server cannot be reached.' };
    await stage.open();
    expect(stage.model.get().note).toBe(
      'Earlier runs cannot be listed: The server cannot be reached.'
    );
    expect(stage.content).toBe('profile');
  });
});

describe('the run that is shown', () => {
  it('is the newest of the active cell, else of the notebook', async () => {
    const stage = await new Stage(notebook()).open();
    expect(stage.listed).toEqual([2, 1]);
    expect(stage.shown).toEqual([1, 'cell']);
    for (const [active, shown] of [
      [1, [2, 'cell']],
      [2, [2, 'newest']],
      [0, [1, 'cell']]
    ] as const) {
      Object.assign(stage.notebook ?? {}, { active });
      await stage.change();
      expect(stage.shown).toEqual(shown);
    }
  });

  it('is the one that was chosen, until the choice is taken back', async () => {
    const stage = await new Stage(notebook()).open();
    stage.model.choose(runId(2));
    await stage.change();
    expect(stage.shown).toEqual([2, 'chosen']);
    stage.model.choose(null);
    expect(stage.shown).toEqual([1, 'cell']);
  });

  it('is the one that just came, wherever the active cell is', async () => {
    const stage = await new Stage(notebook()).open();
    stage.model.choose(runId(1));
    stage.notebook?.cells[1]?.show(profileOf('two', 3));
    await stage.change();
    expect(stage.shown).toEqual([3, 'new']);
    Object.assign(stage.notebook ?? {}, { active: 1 });
    await stage.change();
    expect(stage.shown).toEqual([3, 'cell']);
  });

  it('begins anew in another notebook and for a file of another name', async () => {
    const [first, other] = [notebook(), notebook('b.ipynb')];
    other.cells[0]?.show(profileOf('one', 7));
    const stage = await new Stage(first, other).open();
    stage.model.choose(runId(2));
    await stage.turnTo(other);
    expect(stage.shown).toEqual([7, 'cell']);
    expect(stage.service.list.mock.lastCall?.[0]).toBe('b.ipynb');
    Object.assign(other, { path: 'c.ipynb' });
    await stage.change();
    expect(stage.service.list.mock.lastCall?.[0]).toBe('c.ipynb');
    expect(stage.shown).toEqual([7, 'cell']);
    await stage.turnTo(null);
    expect(stage.content).toMatch(/^Open a notebook/);
  });

  it('goes with its cell, and stays when only the output was cleared', async () => {
    const stage = new Stage(notebook());
    stage.runs = { kind: 'runs', runs: [listed(2, 'two'), listed(1, 'one')] };
    await stage.open();
    stage.notebook?.cells[0]?.show();
    await stage.change();
    expect(stage.shown).toEqual([1, 'cell']);
    expect(stage.content).toBe('profile');
    expect(stage.service.profile).not.toHaveBeenCalled();
    stage.notebook?.cells.shift();
    await stage.change();
    expect(stage.listed).toEqual([2]);
  });

  it('is shown once and belongs to its own cell when that is duplicated', async () => {
    const profile = profileOf('two', 2);
    const cells = [
      new StagedCell('copy', '# copy', profile),
      new StagedCell('two', '# own', profile)
    ];
    const stage = await new Stage(new StagedNotebook('a.ipynb', cells)).open();
    expect(stage.listed).toEqual([2]);
    const { content, entry } = stage.model.get();
    expect(entry?.cellIds).toEqual(['two', 'copy']);
    expect(content.kind !== 'sentence' && content.cell?.source).toBe('# own');
    // The copy is a cell of the run, too: it has one.
    expect(stage.shown).toEqual([2, 'cell']);
    // With its own cell deleted the copy stands for it.
    cells.pop();
    await stage.change();
    const later = stage.model.get().content;
    expect(later.kind !== 'sentence' && later.cell?.source).toBe('# copy');
  });
});

describe('the cell that a run is of', () => {
  it('is trusted only if the output is its own', async () => {
    const stage = new Stage(notebook());
    stage.runs = { kind: 'runs', runs: [listed(5, 'three')] };
    stage.profiles.set(runId(5), profileOf('three', 5));
    await stage.open();
    const trusted = () => {
      const { content } = stage.model.get();
      return content.kind === 'profile' && content.cell?.trusted;
    };
    expect(trusted()).toBe(true);
    stage.model.choose(runId(5));
    await settle();
    expect(stage.content).toBe('profile');
    expect(trusted()).toBe(false);
  });

  it('gets the cursor at the line that was meant', async () => {
    const source = '%%mlprof\nfirst\nsecond';
    const profile = profileOf('one', 1);
    profile.cell.source = source;
    const cell = new StagedCell('one', source, profile);
    const stage = await new Stage(new StagedNotebook('a.ipynb', [cell])).open();
    await stage.model.reveal(3);
    const { editor } = cell.widget;
    expect(stage.activate).toHaveBeenCalledWith(stage.notebook?.panel);
    expect(editor.focus).toHaveBeenCalled();
    expect(editor.setCursorPosition).toHaveBeenLastCalledWith({
      line: 2,
      column: 0
    });
    cell.sharedModel.setSource('%%mlprof\n# new\nfirst\nsecond');
    await stage.model.reveal(3);
    expect(editor.setCursorPosition).toHaveBeenLastCalledWith({
      line: 3,
      column: 0
    });
  });
});

describe('a cell that runs', () => {
  it('is shown at once, though the server listed it before', async () => {
    const stage = new Stage(notebook());
    stage.runs = { kind: 'runs', runs: [listed(4, 'three', 'running')] };
    await stage.open();
    expect(stage.shown).toEqual([1, 'cell']);
    stage.live.tell(liveRun(4, 'three'));
    expect(stage.shown).toEqual([4, 'new']);
    expect(stage.content).toBe('live');
  });

  it('is shown when the page was loaded again meanwhile', async () => {
    const stage = new Stage(notebook());
    stage.model.resume();
    stage.live.tell(liveRun(4, 'three'));
    await settle();
    expect(stage.shown).toEqual([4, 'new']);
  });

  it('gives way to the profile in the output', async () => {
    const stage = await new Stage(notebook()).open();
    const run = liveRun(4, 'three');
    stage.live.tell(run);
    stage.live.tell({ ...run, state: 'ended', durationS: 3 });
    expect(stage.content).toBe('live');
    stage.notebook?.cells[2]?.show(profileOf('three', 4));
    await stage.change();
    expect(stage.content).toBe('profile');
    expect(stage.shown).toEqual([4, 'new']);
  });

  it.each(['ended', 'gone'] as const)(
    'gives way to the profile that the server has when it is %s',
    async state => {
      const stage = await new Stage(notebook()).open();
      const run: ILiveRun = liveRun(4, 'three', { state, durationS: 3 });
      stage.live.tell(run);
      await settle();
      expect(stage.content).toBe('live');
      stage.profiles.set(runId(4), profileOf('three', 4));
      await settle(1_000);
      expect(stage.content).toBe('profile');
    }
  );

  it('ends in a sentence when no profile is ever made', async () => {
    const stage = await new Stage(notebook()).open();
    stage.live.tell(liveRun(4, 'three', { state: 'gone', durationS: 3 }));
    await settle(60_000);
    expect(stage.content).toBe('There is no such run.');
    // Tried again when the user asks for it.
    stage.profiles.set(runId(4), profileOf('three', 4));
    stage.model.choose(runId(4));
    await settle();
    expect(stage.content).toBe('profile');
  });

  it('is forgotten when it ended and left nothing', async () => {
    const stage = await new Stage(notebook()).open();
    const run = liveRun(4, 'three');
    stage.live.tell(run);
    expect(stage.content).toBe('live');
    stage.live.tell({ ...run, state: 'ended' });
    await settle();
    expect(stage.content).toBe('profile');
    expect(stage.model.get().entries.map(({ id }) => id)).not.toContain(
      runId(4)
    );
  });

  it('is not shown in a notebook that shares the kernel', async () => {
    const stage = await new Stage(notebook()).open();
    stage.live.tell(liveRun(4, 'elsewhere'));
    expect(stage.shown).toEqual([1, 'cell']);
  });

  it.each([
    [
      'absent',
      0,
      /^Live view is not available here: .* without jupyter_mlprof/
    ],
    ['open', 4_000, /^Live view is not available here: .* sees nothing/]
  ] as const)(
    'is told of in a sentence with the connection %s',
    async (connection, wait, sentence) => {
      const stage = await new Stage(notebook()).open();
      Object.assign(stage.live, { connection });
      const [cell] = stage.notebook?.cells ?? [];
      Object.assign(cell ?? {}, { executionState: 'running' });
      await stage.change();
      await settle(wait);
      expect(stage.model.get().note).toMatch(sentence);
      Object.assign(cell ?? {}, { executionState: 'idle' });
      await stage.change();
      expect(stage.model.get().note).toBeNull();
    }
  );
});

describe('a panel that nobody sees', () => {
  it('asks nothing and follows nothing', async () => {
    const stage = new Stage(notebook());
    await stage.change();
    expect(stage.service.list).not.toHaveBeenCalled();
    expect(stage.service.live).not.toHaveBeenCalled();

    await stage.open();
    const { entries } = stage.model.get();
    stage.model.pause();
    expect(stage.live.isDisposed).toBe(true);
    const asked = stage.service.list.mock.calls.length;
    stage.notebook?.cells[1]?.show(profileOf('two', 3));
    await stage.change();
    expect(stage.service.list).toHaveBeenCalledTimes(asked);
    expect(stage.model.get()).toMatchObject({ active: false, entries });

    await stage.open();
    expect(stage.lives).toHaveLength(2);
    expect(stage.shown).toEqual([3, 'new']);
  });

  it('has one connection to a kernel, however often the kernel changes', async () => {
    const stage = await new Stage(notebook()).open();
    for (const status of ['busy', 'restarting', 'idle']) {
      Object.assign(stage.notebook?.status ?? {}, { value: status });
      await stage.change();
    }
    expect(stage.lives).toHaveLength(1);
  });

  it('stops asking for a profile that is in the making', async () => {
    const stage = await new Stage(notebook()).open();
    stage.live.tell(liveRun(4, 'three', { state: 'ended', durationS: 3 }));
    await settle();
    stage.model.pause();
    const asked = stage.service.profile.mock.calls.length;
    await settle(60_000);
    expect(stage.service.profile).toHaveBeenCalledTimes(asked);
  });
});

describe('two runs of a cell', () => {
  it('are compared, the newest earlier one first', async () => {
    const stage = new Stage(notebook());
    const runs = [listed(2, 'two'), listed(1, 'one'), listed(0, 'one')];
    stage.runs = { kind: 'runs', runs };
    stage.profiles.set(runId(0), profileOf('one', 0));
    await stage.open();
    expect(stage.model.get().comparison).toBeNull();
    stage.model.compare(true);
    expect(stage.model.get().comparison).toMatchObject({
      entry: { id: runId(0) },
      parsed: null
    });
    await settle();
    expect(stage.model.get().comparison?.parsed?.profile?.id).toBe(runId(0));
    // The other cell ran once.
    stage.model.choose(runId(2));
    expect(stage.model.get()).toMatchObject({ earlier: [], comparison: null });
  });
});
