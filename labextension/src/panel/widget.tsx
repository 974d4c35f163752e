import type { IThemeManager } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { flushSync } from 'react-dom';
import type { Root } from 'react-dom/client';
import { createRoot } from 'react-dom/client';

import { loadBokeh } from '../charts/bokeh';
import type { Theme } from '../charts/theme';
import { confirmChange } from '../confirm';
import type { ICardHost } from '../context';
import { gaugeIcon } from '../icon';
import type { PanelModel } from './model';
import type { SectionStore } from './sectionstore';
import { PanelView } from './view';

/** Under which the application knows the panel. */
export const PANEL_ID = 'jupyter-mlprof-panel';

interface IPanelOptions {
  readonly model: PanelModel;
  readonly sections: SectionStore;
  readonly trans: TranslationBundle;
  readonly themes: IThemeManager | null;
}

/** The side panel. It is at work only while it can be seen. */
export class ProfilePanel extends Widget {
  constructor(private readonly options: IPanelOptions) {
    super();
    const { themes, trans } = options;
    const name = trans.__('ML profile');
    this.id = PANEL_ID;
    this.addClass('jp-MlprofPanel');
    this.title.caption = name;
    this.title.icon = gaugeIcon;
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', name);
    this.node.tabIndex = -1;
    this.host = {
      trans,
      confirm: (title, rows) => confirmChange(trans, title, rows)
    };
    // Kept while the panel is hidden or moved to the other side.
    this.root = createRoot(this.node);
    themes?.themeChanged.connect(this.draw);
  }

  /** Put the focus on the first thing that can be used. */
  focus(): void {
    (this.node.querySelector('select') ?? this.node).focus();
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.options.themes?.themeChanged.disconnect(this.draw);
    this.options.model.dispose();
    this.root.unmount();
    super.dispose();
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this.follow();
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.follow();
  }

  protected override onBeforeHide(message: Message): void {
    super.onBeforeHide(message);
    this.options.model.pause();
  }

  protected override onBeforeDetach(message: Message): void {
    super.onBeforeDetach(message);
    this.options.model.pause();
  }

  private follow(): void {
    if (this.isVisible) {
      const { model } = this.options;
      model.resume();
      if (model.get().entry !== null) {
        // On its way while all else is drawn; a chart tells if it does not come.
        loadBokeh().catch(() => undefined);
      }
      // At once, so that there is something to put the focus on.
      flushSync(this.draw);
    }
  }

  private readonly draw = (): void => {
    if (!this.isVisible) {
      return;
    }
    const { model, sections } = this.options;
    this.root.render(
      <PanelView
        model={model}
        sections={sections}
        host={this.host}
        theme={this.theme}
      />
    );
  };

  private get theme(): Theme {
    const { themes } = this.options;
    const isLight = themes?.theme
      ? themes.isLight(themes.theme)
      : document.body.dataset.jpThemeLight !== 'false';
    return isLight ? 'light' : 'dark';
  }

  private readonly host: Omit<ICardHost, 'cell'>;
  private readonly root: Root;
}
