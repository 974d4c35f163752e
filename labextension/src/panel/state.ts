import type { ICell } from '../cell';
import type { CardProfile, Parsed } from '../parse';
import type { ILiveRun } from '../server/live';
import type { IEntry } from './entry';
import type { ISelection } from './selection';
import { NOTHING } from './selection';

/** What the panel shows under its head. */
export type Content =
  | {
      readonly kind: 'profile';
      readonly profile: CardProfile;
      readonly cell: ICell | null;
    }
  | {
      readonly kind: 'live';
      readonly run: ILiveRun;
      readonly cell: ICell | null;
    }
  /** A sentence instead: there is nothing to show, or it is on its way. */
  | { readonly kind: 'sentence'; readonly text: string };

/** The run that the selected one is compared with. */
export interface IComparison {
  readonly entry: IEntry;
  /** Null while it is on its way. */
  readonly parsed: Parsed | null;
}

/** What the panel knows at one time; another object whenever that changed. */
export interface IPanelState {
  /** Whether the panel is on show and at work. */
  readonly active: boolean;
  /** Every run of the notebook, newest first. */
  readonly entries: readonly IEntry[];
  readonly selection: ISelection;
  /** The selected run; null where there is none. */
  readonly entry: IEntry | null;
  readonly content: Content;
  /** The earlier runs of its cell, newest first. */
  readonly earlier: readonly IEntry[];
  /** Null while nothing is compared. */
  readonly comparison: IComparison | null;
  /** What the user should know besides; a sentence. */
  readonly note: string | null;
}

/** The state of a panel that has not looked yet. */
export const NO_STATE: IPanelState = {
  active: false,
  entries: [],
  selection: NOTHING,
  entry: null,
  content: { kind: 'sentence', text: '' },
  earlier: [],
  comparison: null,
  note: null
};
