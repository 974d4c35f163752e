import { Widget } from '@lumino/widgets';
import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { MIME_TYPE } from '../src/mime';
import { ProfileRenderer } from '../src/renderer';
import { makeCell, makeProfile, trans } from './stage';

vi.mock('../src/confirm', () => ({ confirmChange: vi.fn() }));

function render(data: unknown) {
  const setData = vi.fn();
  const findCell = vi.fn(() => makeCell().cell);
  const renderer = new ProfileRenderer({ trans, findCell });
  const model = {
    data: { [MIME_TYPE]: data as never },
    metadata: {},
    trusted: false,
    setData
  };
  act(() => {
    void renderer.renderModel(model);
  });
  const attach = () => {
    act(() => {
      Widget.attach(renderer, document.body);
    });
  };
  const dispose = () => {
    act(() => {
      renderer.dispose();
    });
  };
  return { renderer, findCell, setData, attach, dispose };
}

describe('ProfileRenderer', () => {
  it('draws at once, and looks for the cell when it is attached', () => {
    const { renderer, findCell, setData, attach, dispose } =
      render(makeProfile());
    expect(renderer.node.textContent).toContain('71 % of 12.4 s');
    expect(findCell).not.toHaveBeenCalled();
    expect(renderer.node.querySelector('button')).toBeNull();
    attach();
    expect(findCell).toHaveBeenCalledWith(renderer, 'c0ffee00-train');
    expect(renderer.node.querySelector('button')?.textContent).toBe('Apply');
    expect(setData).not.toHaveBeenCalled();
    dispose();
  });

  it('keeps what is unfolded while it is scrolled out of sight', () => {
    const { renderer, attach, dispose } = render(makeProfile());
    attach();
    const closer = renderer.node.querySelector('.jp-MlprofCloser');
    closer?.setAttribute('open', '');
    Widget.detach(renderer);
    attach();
    expect(renderer.node.querySelector('.jp-MlprofCloser')).toBe(closer);
    expect(closer?.hasAttribute('open')).toBe(true);
    dispose();
  });

  it('takes its drawing down when it is disposed, once', () => {
    const { renderer, attach, dispose } = render(makeProfile());
    attach();
    const { node } = renderer;
    dispose();
    dispose();
    expect(node.childElementCount).toBe(0);
  });

  it('says why when there is no profile to draw', () => {
    const { renderer, dispose } = render({ schema_version: 9 });
    expect(renderer.node.textContent).toContain('newer jupyter_mlprof');
    dispose();
  });
});
