import type { Kernel } from '@jupyterlab/services';

import { fields, text } from '../guards';
import { whileAlive } from './alive';

/** How the extension stands in a kernel. */
export type Probe =
  | { readonly kind: 'loaded' }
  /** The package is not in the environment of this interpreter. */
  | { readonly kind: 'missing'; readonly executable: string }
  /** Something else stands in the way; the kernel's words. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The kernel went away or was restarted before it answered. */
  | { readonly kind: 'cancelled' };

/**
 * Expressions rather than statements, so that no name of the user's is touched;
 * and nothing is raised for a package that is not there, so that the traceback
 * `%debug` would look at stays. Caches go first, or a package that was
 * installed a moment ago is not seen.
 */
const FOUND = `(
  __import__('importlib').invalidate_caches(),
  __import__('importlib.util').util.find_spec('jupyter_mlprof') is not None
)[1]`;
const EXPRESSIONS = {
  loaded: `${FOUND} and __import__('IPython').get_ipython().extension_manager.load_extension('jupyter_mlprof') != 'no load function'`,
  executable: `__import__('sys').executable`
};

/** Load our extension in a kernel. A busy kernel answers when it is idle. */
export async function loadExtension(
  kernel: Kernel.IKernelConnection
): Promise<Probe> {
  const future = kernel.requestExecute({
    code: '',
    silent: true,
    store_history: false,
    allow_stdin: false,
    stop_on_error: false,
    user_expressions: EXPRESSIONS
  });
  const reply = await whileAlive(kernel, future.done);
  // A cell that failed before us takes with it what waits behind it.
  if (reply === null || !['ok', 'error'].includes(reply.content.status)) {
    future.dispose();
    return { kind: 'cancelled' };
  }
  const expressions = fields(fields(reply.content).user_expressions);
  const loaded = fields(expressions.loaded);
  switch (shown(loaded)) {
    case 'True':
      return { kind: 'loaded' };
    case 'False':
      return { kind: 'missing', executable: unquoted(expressions.executable) };
    default:
      return { kind: 'failed', message: text(loaded.evalue) };
  }
}

/** How the kernel writes the value of an expression. */
function shown(expression: unknown): string {
  return text(fields(fields(expression).data)['text/plain']);
}

/** The text that Python wrote in quotes. */
function unquoted(expression: unknown): string {
  return shown(expression)
    .replace(/^(['"])(.*)\1$/s, '$2')
    .replaceAll('\\\\', '\\');
}
