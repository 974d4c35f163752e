/**
 * Take what BokehJS drew out of the order of the Tab key: the chart as a whole
 * is a stop, and its canvases, in nested shadow roots, would be more of them.
 */
export function dropTabStops(node: Element | ShadowRoot): void {
  for (const element of node.querySelectorAll('*')) {
    element.removeAttribute('tabindex');
    if (element.shadowRoot) {
      dropTabStops(element.shadowRoot);
    }
  }
}
