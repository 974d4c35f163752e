import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { CardFinding } from '../finding';
import type { Fields } from '../guards';
import { fields, text } from '../guards';

/** What a kernel sent in place of the output of a profile. */
export type Bundle = Record<string, unknown>;

/** How a try ended. */
export type Outcome =
  | {
      readonly kind: 'tried';
      /** With the trial in it. */
      readonly finding: CardFinding;
      /** The output anew. */
      readonly bundle: Bundle;
    }
  /** Without a profile to show, or none at all; what there is to say. */
  | { readonly kind: 'said'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The name under which the kernel is asked. */
export const EXPRESSION = 'trial';
const MAX_SENTENCE = 600;

type Reply = KernelMessage.IExecuteReplyMsg;

/**
 * Read what the kernel replied; null: it was restarted or died before that.
 *
 * @param said What it wrote meanwhile.
 */
export function readReply(
  reply: Reply | null,
  said: string,
  trans: TranslationBundle
): Outcome {
  if (reply === null) {
    const sentence = trans.__('The kernel went away before the try ended.');
    return { kind: 'failed', sentence };
  }
  const content: Fields = fields(reply.content);
  const shown = fields(fields(content.user_expressions)[EXPRESSION]);
  if (shown.status === 'ok') {
    const words = unquoted(
      text(fields(shown.data)['text/plain'], MAX_SENTENCE)
    );
    return { kind: 'said', sentence: words || said || trans.__('Tried.') };
  }
  const error = shown.status === 'error' ? shown : content;
  return { kind: 'failed', sentence: errorText(error, trans) };
}

/** Why the kernel did not try: our errors are sentences, others are named. */
function errorText(error: Fields, trans: TranslationBundle): string {
  const name = text(error.ename, 100);
  const message = text(error.evalue, MAX_SENTENCE);
  if (name === 'KeyboardInterrupt') {
    return trans.__('Cancelled: the fix was not tried to the end.');
  }
  const lacksUs =
    name === 'ModuleNotFoundError' && message.includes('jupyter_mlprof');
  if (lacksUs || (name === 'AttributeError' && message.includes('try_fix'))) {
    return trans.__(
      'This kernel has no jupyter_mlprof that can try a fix: install or update it there.'
    );
  }
  if (/^\w*Mlprof\w*Error$|^ProfileError$/.test(name) && message !== '') {
    return message;
  }
  return name === ''
    ? trans.__('The kernel did not try it: try it again.')
    : trans.__('The fix could not be tried. %1: %2', name, message);
}

/** The text that Python wrote in quotes. */
function unquoted(written: string): string {
  return written
    .replace(/^(['"])(.*)\1$/s, '$2')
    .replace(/\\(['"\\])/g, '$1')
    .trim();
}

/** Whether a message was sent because of a request. */
export function isAnswerTo(
  future: Pick<Kernel.IShellFuture, 'msg'>,
  message: KernelMessage.IMessage
): boolean {
  return (
    'msg_id' in message.parent_header &&
    message.parent_header.msg_id === future.msg.header.msg_id
  );
}
