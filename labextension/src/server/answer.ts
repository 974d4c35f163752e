import { ServerConnection } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import { fields, text } from '../guards';

/** Why a request brought nothing. */
export type Failure =
  /** The server runs without our extension. */
  | { readonly kind: 'absent' }
  /** A sentence that says what went wrong. */
  | { readonly kind: 'failed'; readonly message: string };

/** What a request brought. */
export type Answer = { readonly kind: 'ok'; readonly value: unknown } | Failure;

/** Ask the server for something in JSON. Never rejects. */
export async function ask(
  url: string,
  settings: ServerConnection.ISettings,
  trans: TranslationBundle
): Promise<Answer> {
  try {
    const response = await ServerConnection.makeRequest(url, {}, settings);
    return await read(response, trans);
  } catch (reason) {
    console.warn('Failed to ask the server for profiles.', reason);
    return failed(trans.__('The server cannot be reached.'));
  }
}

async function read(
  response: Response,
  trans: TranslationBundle
): Promise<Answer> {
  const type = response.headers.get('Content-Type') ?? '';
  const json = type.includes('json');
  if (!json && (response.status === 404 || isForeignPage(response, type))) {
    return { kind: 'absent' };
  }
  if (!json || response.status === 403) {
    return failed(otherwise(response, trans));
  }
  const value: unknown = await response.json();
  return response.ok
    ? { kind: 'ok', value }
    : failed(text(fields(value).message) || otherwise(response, trans));
}

/** Whether a server that does not know the address answers with its own page. */
function isForeignPage(response: Response, type: string): boolean {
  return response.ok && !response.redirected && type.includes('html');
}

function otherwise(response: Response, trans: TranslationBundle): string {
  // Whoever is not logged in any more is led to the page where one can.
  return response.redirected || response.status === 403
    ? trans.__('The server asks to log in: reload the page.')
    : trans.__('The server could not answer (status %1).', response.status);
}

function failed(message: string): Failure {
  return { kind: 'failed', message };
}
