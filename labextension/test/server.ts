import { ServerConnection } from '@jupyterlab/services';
import { vi } from 'vitest';

/** What a staged server answers with: JSON unless it is a text. */
export interface IStagedAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly redirected?: boolean;
}

/** Sockets that were opened, in order; a test plays the server's part. */
export class FakeSocket {
  static opened: FakeSocket[] = [];

  constructor(readonly url: string) {
    FakeSocket.opened.push(this);
  }

  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly close = vi.fn();

  /** The server sends a message. */
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** Settings as behind a hub, with a server that answers as it is told. */
export function makeSettings(
  answer: (url: URL) => IStagedAnswer | Error,
  options: Partial<ServerConnection.ISettings> = {}
): { settings: ServerConnection.ISettings; asked: URL[] } {
  FakeSocket.opened = [];
  const asked: URL[] = [];
  const fetch = (request: RequestInfo | URL) => {
    const url = new URL((request as Request).url);
    asked.push(url);
    const staged = answer(url);
    return staged instanceof Error
      ? Promise.reject(staged)
      : Promise.resolve(respond(staged));
  };
  const settings = ServerConnection.makeSettings({
    baseUrl: 'http://hub.example/user/ada/',
    wsUrl: 'ws://hub.example/user/ada/',
    token: '',
    appendToken: false,
    fetch,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
    ...options
  });
  return { settings, asked };
}

function respond({ status = 200, body, redirected }: IStagedAnswer): Response {
  const isPage = typeof body === 'string';
  const response = new Response(isPage ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': isPage ? 'text/html' : 'application/json' }
  });
  return Object.defineProperty(response, 'redirected', {
    value: redirected ?? false
  });
}
