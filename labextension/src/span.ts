/** A part of the cell's time, in seconds from its start. */
export interface ISpan {
  readonly from: number;
  readonly to: number;
}
