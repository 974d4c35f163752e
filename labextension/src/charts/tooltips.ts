import type { IModel, IViews } from './bokeh';

/** Tooltips lie in shadow roots, where no style sheet of ours reaches. */
const STYLE = `
:host {
  --tooltip-border: var(--jp-border-color1);
  --tooltip-color: var(--jp-layout-color1);
  --tooltip-text: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  max-width: 320px;
  opacity: 1;
  overflow-wrap: anywhere;
}
.bk-tooltip-row-label { color: var(--jp-ui-font-color2); white-space: nowrap; }
`;

/** Give tooltips the look of the application. */
export function dressTooltips(views: IViews, models: Iterable<IModel>): void {
  for (const model of models) {
    if (model.type === 'HoverTool') {
      const tooltips = views.find_one(model)?.ttmodels?.values() ?? [];
      for (const tooltip of tooltips) {
        tooltip.setv({ stylesheets: [STYLE] });
      }
    }
  }
}
