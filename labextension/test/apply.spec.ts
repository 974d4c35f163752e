import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { LiveCell } from '../src/cell';
import { clickApply, draw, makeCell, makeProfile, status } from './stage';

const CHANGED =
  'The cell has changed since this run: run it again for a new suggestion.';
const APPLIED = 'Applied. Ctrl+Z in the cell undoes it.';

function button(card: HTMLElement): HTMLButtonElement | null {
  return card.querySelector('button');
}

describe('Apply', () => {
  it('shows the diff of the live cell and makes the change', async () => {
    const { cell, shared, focus } = makeCell();
    const card = draw(makeProfile(), cell);
    expect(card.querySelector('del')?.textContent).toBe(
      '9- loader = DataLoader(dataset, batch_size=32, shuffle=True)'
    );
    await clickApply(card);
    expect(shared.getSource()).toContain(
      'shuffle=True, num_workers=6, persistent_workers=True)\n'
    );
    expect(focus).toHaveBeenCalledOnce();
    expect(status(card)).toBe(APPLIED);
    expect(button(card)?.disabled).toBe(true);
  });

  it('is undone in one step, and offered again', async () => {
    const { cell, shared } = makeCell();
    const profile = makeProfile();
    const before = shared.getSource();
    profile.findings[0]?.fix?.edits.push({ start: 500, end: 501, text: 'X' });
    const card = draw(profile, cell);
    await clickApply(card);
    expect(shared.getSource()).not.toBe(before);
    act(() => {
      shared.undo();
    });
    expect(shared.getSource()).toBe(before);
    expect(shared.canUndo()).toBe(false);
    expect(button(card)?.disabled).toBe(false);
    expect(status(card)).toBe('');
  });

  it('is refused when the cell is another, before and after drawing', () => {
    const { cell, shared } = makeCell('print(1)');
    expect(status(draw(makeProfile(), cell))).toBe(CHANGED);

    const same = makeCell();
    const card = draw(makeProfile(), same.cell);
    act(() => {
      same.shared.updateSource(0, 0, '\n');
    });
    expect(status(card)).toBe(CHANGED);
    expect(button(card)?.disabled).toBe(true);
    expect(card.querySelector('.jp-MlprofDiff')).toBeNull();
    expect(shared.getSource()).toBe('print(1)');
  });

  it('is refused when the edits are damaged', () => {
    const profile = makeProfile();
    profile.findings[0]?.fix?.edits.push({ start: 0, end: 1, text: '' });
    const card = draw(profile, makeCell().cell);
    expect(status(card)).toMatch(/damaged/);
    expect(button(card)?.disabled).toBe(true);
  });

  it('is refused when the cell is read-only', () => {
    const { cell, widget } = makeCell();
    widget.readOnly = true;
    const card = draw(makeProfile(), cell);
    expect(status(card)).toMatch(/read-only/);
    expect(button(card)?.disabled).toBe(true);
  });

  it('says so when the change cannot be made', async () => {
    const { cell, shared } = makeCell();
    const silent = vi.spyOn(console, 'error').mockReturnValue(undefined);
    vi.spyOn(shared, 'transact').mockImplementation(() => {
      throw new Error('closed');
    });
    const card = draw(makeProfile(), cell);
    await clickApply(card);
    expect(status(card)).toBe('The change could not be made.');
    silent.mockRestore();
  });
});

describe('Apply from an untrusted output', () => {
  it('asks first, with the diff', async () => {
    const { cell, widget, shared } = makeCell();
    widget.model.trusted = false;
    const confirm = vi.fn(() => Promise.resolve(true));
    await clickApply(draw(makeProfile(), cell, confirm));
    expect(confirm).toHaveBeenCalledExactlyOnceWith('Load with 6 workers', [
      expect.objectContaining({ sign: '-', line: 9 }),
      expect.objectContaining({ sign: '+', line: 9 })
    ]);
    expect(shared.getSource()).toContain('num_workers=6');
  });

  it('changes nothing when the answer is no', async () => {
    const { cell, widget, shared } = makeCell();
    widget.model.trusted = false;
    const card = draw(
      makeProfile(),
      cell,
      vi.fn(() => Promise.resolve(false))
    );
    await clickApply(card);
    expect(shared.getSource()).toBe(makeProfile().cell.source);
    expect(status(card)).toBe('');
  });

  it('changes nothing when the cell changed while the question stood', async () => {
    const { cell, widget, shared } = makeCell();
    widget.model.trusted = false;
    const confirm = vi.fn(() => {
      shared.setSource('print(2)');
      return Promise.resolve(true);
    });
    const card = draw(makeProfile(), cell, confirm);
    await clickApply(card);
    expect(shared.getSource()).toBe('print(2)');
    expect(status(card)).toBe(CHANGED);
  });

  it('treats a cell found by its id alone as untrusted', () => {
    expect(new LiveCell(makeCell().widget, false).trusted).toBe(false);
  });
});
