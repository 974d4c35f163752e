/** Wait until a node has a place in the page; false when the wait was given up. */
export function whenShown(
  node: HTMLElement,
  signal: AbortSignal
): Promise<boolean> {
  if (isShown(node) || typeof ResizeObserver === 'undefined') {
    return Promise.resolve(!signal.aborted);
  }
  return new Promise(resolve => {
    const observer = new ResizeObserver(() => {
      if (isShown(node)) {
        finish();
      }
    });
    const finish = (): void => {
      observer.disconnect();
      signal.removeEventListener('abort', finish);
      resolve(!signal.aborted);
    };
    signal.addEventListener('abort', finish);
    observer.observe(node);
  });
}

function isShown(node: HTMLElement): boolean {
  return node.isConnected && node.clientWidth > 0;
}
