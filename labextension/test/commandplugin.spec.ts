import { showDialog } from '@jupyterlab/apputils';
import { CodeCell } from '@jupyterlab/cells';
import { NotebookActions } from '@jupyterlab/notebook';
import { CommandRegistry } from '@lumino/commands';
import { Signal } from '@lumino/signaling';
import type { Mock } from 'vitest';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import schema from '../schema/plugin.json';
import { commandPlugin, PROFILE_CELL } from '../src/command/plugin';
import { makeCell } from './stage';

vi.mock('@jupyterlab/cells', () => ({ CodeCell: vi.fn() }));
vi.mock('@jupyterlab/ui-components', () => ({ LabIcon: vi.fn() }));
vi.mock('@jupyterlab/notebook', () => ({
  INotebookTracker: {},
  NotebookActions: { runCells: vi.fn(() => Promise.resolve(true)) }
}));
vi.mock('@jupyterlab/apputils', () => ({
  ICommandPalette: {},
  ISessionContextDialogs: {},
  showDialog: vi.fn(() => Promise.resolve({ button: { accept: false } })),
  Dialog: { okButton: vi.fn(), cancelButton: vi.fn() },
  Clipboard: { copyToSystem: vi.fn() }
}));

function makeKernel(loaded: 'True' | 'False') {
  const owner = {};
  const show = (text: string) => ({ data: { 'text/plain': text } });
  const user_expressions = { loaded: show(loaded), executable: show("'/py'") };
  return {
    status: 'idle',
    isDisposed: false,
    spec: Promise.resolve(undefined),
    statusChanged: new Signal<object, string>(owner),
    disposed: new Signal<object, undefined>(owner),
    requestExecute: vi.fn(() => ({
      done: Promise.resolve({ content: { status: 'ok', user_expressions } })
    }))
  };
}

/** The plugin in an application whose notebook has one active cell. */
function activate(cell: object | null, kernel: object | null) {
  const panel = {
    content: { activeCell: cell, activeCellIndex: 0, widgets: [cell] },
    sessionContext: {
      // As JupyterLab has it: who declines a kernel waits for ever.
      ready: kernel ? Promise.resolve() : new Promise(() => undefined),
      hasNoKernel: kernel === null,
      pendingInput: false,
      session: kernel && { kernel }
    }
  };
  const owner = {};
  const tracker = {
    currentWidget: panel,
    find: (test: (one: object) => boolean) => [panel].find(test),
    currentChanged: new Signal<object, null>(owner),
    activeCellChanged: new Signal<object, null>(owner)
  };
  const commands = new CommandRegistry();
  const palette = { addItem: vi.fn() };
  const start = commandPlugin.activate as (...args: unknown[]) => void;
  const contextMenuHitTest = vi.fn();
  start({ commands, contextMenuHitTest }, tracker, palette, null, null);
  return { panel, tracker, commands, palette, contextMenuHitTest };
}

function codeCell(source: string) {
  const { widget, shared } = makeCell(source);
  const CellClass = CodeCell as unknown as new () => object;
  const cell = Object.assign(new CellClass(), widget, { editor: null });
  return { cell, shared };
}

const runCells = NotebookActions.runCells as Mock;

beforeEach(() => {
  runCells.mockClear();
  vi.mocked(showDialog).mockClear();
});

describe('the plugin', () => {
  it('runs the active cell through the notebook, and opens the panel', async () => {
    const { cell, shared } = codeCell('train()');
    const { panel, commands, palette } = activate(cell, makeKernel('True'));
    const open = vi.fn();
    commands.addCommand('jupyter-mlprof:open-panel', { execute: open });
    await commands.execute(PROFILE_CELL);
    expect(shared.getSource()).toBe('%%mlprof\ntrain()');
    expect(runCells).toHaveBeenCalledOnce();
    expect(runCells.mock.calls[0]?.slice(0, 3)).toEqual([
      panel.content,
      [cell],
      panel.sessionContext
    ]);
    expect(open).toHaveBeenCalledOnce();
    expect(palette.addItem).toHaveBeenCalledWith({
      command: PROFILE_CELL,
      category: 'ML profile'
    });
  });

  it('does without a panel, and runs once however often it is asked', async () => {
    const { cell } = codeCell('train()');
    const { commands } = activate(cell, makeKernel('True'));
    await Promise.all([1, 2, 3].map(() => commands.execute(PROFILE_CELL)));
    expect(runCells).toHaveBeenCalledOnce();
    await commands.execute(PROFILE_CELL);
    expect(runCells).toHaveBeenCalledTimes(2);
  });

  it('tells the one command that installs what is missing', async () => {
    const { cell } = codeCell('train()');
    const { commands } = activate(cell, makeKernel('False'));
    await commands.execute(PROFILE_CELL);
    const shown = JSON.stringify(vi.mocked(showDialog).mock.calls[0]?.[0]);
    expect(shown).toContain('%pip install jupyter_mlprof');
    expect(shown).toContain('/py');
    expect(runCells).not.toHaveBeenCalled();
  });

  it('runs the cell whose menu it is in, whichever is active', async () => {
    const active = Object.assign(codeCell('a()').cell, { node: {} });
    const clicked = Object.assign(codeCell('b()').cell, { node: {} });
    const place = activate(active, makeKernel('True'));
    const { commands, contextMenuHitTest, panel } = place;
    panel.content.widgets.push(clicked);
    const args = { contextMenu: true };
    expect(commands.isEnabled(PROFILE_CELL, args)).toBe(false);
    contextMenuHitTest.mockReturnValue(clicked.node);
    await commands.execute(PROFILE_CELL, args);
    expect(runCells.mock.calls[0]?.[1]).toEqual([clicked]);
    expect(panel.content.activeCellIndex).toBe(1);
  });

  it('says so when there is no kernel', async () => {
    const { cell } = codeCell('train()');
    const { commands } = activate(cell, null);
    vi.useFakeTimers();
    const done = commands.execute(PROFILE_CELL);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await done;
    expect(vi.mocked(showDialog).mock.calls[0]?.[0]?.body).toMatch(/no kernel/);
  });

  it.each([null, {}])('is disabled without a code cell (%j)', async cell => {
    const { commands, tracker } = activate(cell, makeKernel('True'));
    expect(commands.isEnabled(PROFILE_CELL)).toBe(false);
    expect(commands.isVisible(PROFILE_CELL, { toolbar: true })).toBe(false);
    expect(commands.isVisible(PROFILE_CELL)).toBe(true);
    const changed = vi.fn();
    commands.commandChanged.connect(changed);
    tracker.activeCellChanged.emit(null);
    expect(changed).toHaveBeenCalledOnce();
    await commands.execute(PROFILE_CELL);
    expect(runCells).not.toHaveBeenCalled();
  });

  it('describes itself', async () => {
    const { commands } = activate(codeCell('x').cell, null);
    expect(commands.label(PROFILE_CELL)).toBe('Profile this cell');
    expect((await commands.describedBy(PROFILE_CELL)).args).toMatchObject({
      type: 'object'
    });
  });
});

describe('the schema', () => {
  it('is that of the plugin, and names its command everywhere', () => {
    expect(commandPlugin.id).toBe('jupyter-mlprof:plugin');
    const items = [
      ...schema['jupyter.lab.menus'].context,
      ...schema['jupyter.lab.toolbars'].Cell,
      ...schema['jupyter.lab.shortcuts']
    ];
    expect(items.map(item => item.command)).toEqual([
      PROFILE_CELL,
      PROFILE_CELL,
      PROFILE_CELL
    ]);
  });
});
