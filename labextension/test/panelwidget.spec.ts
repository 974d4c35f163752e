import { CommandRegistry } from '@lumino/commands';
import { Signal } from '@lumino/signaling';
import { Panel, Widget } from '@lumino/widgets';
import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { OPEN_PANEL, panelPlugin } from '../src/panel/plugin';
import { profileOf, Stage, StagedCell, StagedNotebook } from './panelstage';
import { FakeSocket, makeSettings } from './server';

vi.mock('@jupyterlab/ui-components', () => ({ LabIcon: vi.fn() }));
vi.mock('@jupyterlab/notebook', () => ({ INotebookTracker: {} }));
vi.mock('@jupyterlab/application', () => ({ ILayoutRestorer: {} }));
vi.mock('@jupyterlab/apputils', () => ({
  ICommandPalette: {},
  IThemeManager: {},
  showDialog: vi.fn(),
  Dialog: { okButton: vi.fn(), cancelButton: vi.fn() }
}));
// jsdom has no canvas.
vi.mock('../src/charts/shown', () => ({
  whenShown: () => Promise.resolve(false)
}));

/** The plugin in an application that lacks all that one may lack. */
function activate(...optional: unknown[]) {
  const cell = new StagedCell('one', undefined, profileOf('one', 1));
  const stage = new Stage(new StagedNotebook('a.ipynb', [cell]));
  const { settings, asked } = makeSettings(() => ({ body: { runs: [] } }));
  const side = new Panel();
  const shell = {
    add: vi.fn((widget: Widget) => {
      widget.hide();
      side.addWidget(widget);
    }),
    activateById: vi.fn(() => {
      side.widgets[0]?.show();
    })
  };
  const commands = new CommandRegistry();
  const app = { shell, commands, serviceManager: { serverSettings: settings } };
  const start = panelPlugin.activate as (...args: unknown[]) => void;
  start(app, stage.tracker, ...optional);
  act(() => {
    Widget.attach(side, document.body);
  });
  const [panel] = side.widgets;
  if (!panel) {
    throw new Error('There is no panel.');
  }
  return { panel, side, shell, commands, asked, stage };
}

/** Let the notebook be looked at, and answers come. */
async function settle(): Promise<void> {
  await act(() => new Promise(resolve => setTimeout(resolve, 150)));
}

describe('the panel', () => {
  it('does nothing until it is shown, and nothing when it is hidden', async () => {
    const { panel, commands, asked, shell } = activate(null, null, null, null);
    expect(shell.add).toHaveBeenCalledWith(panel, 'right', {
      rank: 600,
      type: 'ML profile'
    });
    await settle();
    expect(asked).toEqual([]);
    expect(FakeSocket.opened).toEqual([]);
    expect(panel.node.textContent).toBe('');

    await act(() => commands.execute(OPEN_PANEL));
    await settle();
    expect(panel.node.textContent).toContain('71 % of 12.4 s waited');
    expect(document.activeElement).toBe(panel.node.querySelector('select'));
    expect(FakeSocket.opened).toHaveLength(1);
    const count = asked.length;
    expect(count).toBeGreaterThan(0);

    act(() => {
      panel.hide();
    });
    await settle();
    expect(FakeSocket.opened[0]?.close).toHaveBeenCalled();
    expect(asked).toHaveLength(count);
  });

  it('is drawn again when it is moved to the other side', async () => {
    const { panel, commands } = activate(null, null, null, null);
    await act(() => commands.execute(OPEN_PANEL, { focus: false }));
    await settle();
    const other = new Panel();
    act(() => {
      Widget.attach(other, document.body);
      other.addWidget(panel);
    });
    await settle();
    expect(panel.node.textContent).toContain('71 % of 12.4 s waited');
    expect(FakeSocket.opened).toHaveLength(2);
    act(() => {
      panel.dispose();
      panel.dispose();
    });
    expect(FakeSocket.opened[1]?.close).toHaveBeenCalled();
  });

  it('is a named region that can be found and restored', () => {
    const restorer = { add: vi.fn() };
    const palette = { addItem: vi.fn() };
    const { panel } = activate(null, palette, restorer, null);
    expect(panel.id).toBe('jupyter-mlprof-panel');
    expect(panel.title.caption).toBe('ML profile');
    expect(panel.node.getAttribute('role')).toBe('region');
    expect(panel.node.getAttribute('aria-label')).toBe('ML profile');
    expect(restorer.add).toHaveBeenCalledWith(panel, panel.id);
    expect(palette.addItem).toHaveBeenCalledWith({
      command: OPEN_PANEL,
      category: 'ML profile'
    });
  });

  it('follows the theme', async () => {
    const themes = {
      theme: 'Dark',
      isLight: (name: string) => name === 'Light',
      themeChanged: new Signal<object, unknown>({})
    };
    const { commands, panel } = activate(null, null, null, null, themes);
    const draw = vi.spyOn(themes, 'isLight');
    themes.themeChanged.emit(undefined);
    expect(draw).not.toHaveBeenCalled();
    await act(() => commands.execute(OPEN_PANEL));
    act(() => {
      themes.theme = 'Light';
      themes.themeChanged.emit(undefined);
    });
    expect(draw.mock.results.map(({ value }) => value as boolean)).toEqual([
      false,
      true
    ]);
    act(() => {
      panel.dispose();
    });
  });
});
