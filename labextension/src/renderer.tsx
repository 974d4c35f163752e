import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { flushSync } from 'react-dom';
import type { Root } from 'react-dom/client';
import { createRoot } from 'react-dom/client';

import { Card } from './card';
import type { ICell } from './cell';
import { confirmChange } from './confirm';
import type { IDiffRow } from './diff';
import { MIME_TYPE } from './mime';
import type { Parsed } from './parse';
import { parseProfile } from './parse';

interface IRendererOptions {
  readonly trans: TranslationBundle;
  /** Find the cell of an output, by the id in its profile if nothing else. */
  findCell(output: Widget, cellId: string | null): ICell | null;
}

/** Draws a profile as a card in the output of its cell. */
export class ProfileRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(private readonly options: IRendererOptions) {
    super();
    this.addClass('jp-MlprofOutput');
    // Made once and kept while the output is scrolled out of a long notebook
    // and back, so that what the user unfolded stays so.
    this.root = createRoot(this.node);
  }

  /** Draw the profile in a model, which is only read. */
  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.parsed = parseProfile(model.data[MIME_TYPE], this.options.trans);
    flushSync(() => {
      this.draw();
    });
    return Promise.resolve();
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.root.unmount();
    super.dispose();
  }

  /** Only now is there a cell around the output. */
  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this.draw();
  }

  private draw(): void {
    if (this.parsed === null) {
      return;
    }
    const { trans } = this.options;
    const cellId = this.parsed.profile?.cell.id ?? null;
    const host = {
      trans,
      cell: this.isAttached ? this.options.findCell(this, cellId) : null,
      confirm: (title: string, rows: readonly IDiffRow[]) =>
        confirmChange(trans, title, rows)
    };
    this.root.render(<Card parsed={this.parsed} host={host} />);
  }

  private readonly root: Root;
  private parsed: Parsed | null = null;
}
