import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import { whileAlive } from '../command/alive';
import { fields, text } from '../guards';
import { MIME_TYPE } from '../mime';
import { parseProfile } from '../parse';
import type { Bundle, Outcome } from './outcome';
import { EXPRESSION, isAnswerTo, readReply } from './outcome';
import type { IAsked } from './request';
import { tryExpression } from './request';

type Message = KernelMessage.IIOPubMessage;

const MAX_SAID = 600;

/** One request to a kernel to try a fix. */
export class Attempt {
  /** @param told Called when the kernel begins. */
  constructor(
    private readonly kernel: Kernel.IKernelConnection,
    private readonly asked: IAsked,
    private readonly trans: TranslationBundle,
    private readonly told: () => void
  ) {}

  /** Ask the kernel and wait for the end. */
  async run(): Promise<Outcome> {
    const { kernel, trans } = this;
    const expression = tryExpression(this.asked);
    if (expression === null) {
      const sentence = trans.__('This profile is damaged: run the cell again.');
      return { kind: 'failed', sentence };
    }
    const future = kernel.requestExecute({
      code: '',
      silent: true,
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
      user_expressions: { [EXPRESSION]: expression }
    });
    // Not the future's own messages: an update of an output is not among them.
    const listen = (_: unknown, message: Message): void => {
      if (isAnswerTo(future, message)) {
        this.hear(message);
      }
    };
    kernel.iopubMessage.connect(listen);
    try {
      const reply = await whileAlive(kernel, future.done);
      this.ended = true;
      return this.outcome ?? readReply(reply, this.said.trim(), trans);
    } finally {
      this.ended = true;
      kernel.iopubMessage.disconnect(listen);
      future.dispose();
    }
  }

  /** Interrupt the kernel, but never while it runs something else. */
  cancel(): void {
    this.cancelled = true;
    if (this.started && !this.ended) {
      this.kernel.interrupt().catch((reason: unknown) => {
        console.error('Failed to interrupt the kernel.', reason);
      });
    }
  }

  private hear({ content, header }: Message): void {
    const data = fields(content);
    switch (header.msg_type) {
      case 'status':
        this.follow(data.execution_state);
        break;
      case 'stream':
        this.said = (this.said + text(data.text, MAX_SAID)).slice(-MAX_SAID);
        break;
      case 'display_data':
      case 'update_display_data':
        this.outcome = this.read(fields(data.data)) ?? this.outcome;
        break;
    }
  }

  private follow(state: unknown): void {
    if (state === 'idle') {
      this.ended = true;
    } else if (state === 'busy' && !this.started) {
      this.started = true;
      this.told();
      if (this.cancelled) {
        this.cancel();
      }
    }
  }

  /** The tried finding in an output, if it is that of the profile. */
  private read(bundle: Bundle): Outcome | null {
    const { profile } = parseProfile(bundle[MIME_TYPE], this.trans);
    if (profile?.id !== this.asked.profileId) {
      return null;
    }
    const found = profile.findings.find(
      ({ number }) => number === this.asked.number
    );
    return found?.trial ? { kind: 'tried', finding: found, bundle } : null;
  }

  private started = false;
  private ended = false;
  private cancelled = false;
  private said = '';
  private outcome: Outcome | null = null;
}
