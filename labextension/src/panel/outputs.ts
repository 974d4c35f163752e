import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { IOutputModel } from '@jupyterlab/rendermime';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { Parsed } from '../parse';
import { parseProfile } from '../parse';
import { MIME_TYPE } from '../mime';
import type { IEntry } from './entry';
import { titleOf } from './title';

/** Most outputs of one cell that are looked at. */
const MAX_OUTPUTS = 200;

/** What a cell model is asked for here. */
export type Cells = Iterable<ICellModel>;

/** Reads the profiles in the outputs of a notebook, each output once. */
export class OutputReader {
  constructor(private readonly trans: TranslationBundle) {}

  /** The profiles that the cells hold; one in several cells is given once. */
  read(cells: Cells): IEntry[] {
    const found = new Map<string, IEntry>();
    for (const cell of cells) {
      for (const entry of isCode(cell) ? this.entries(cell) : []) {
        const known = found.get(entry.id);
        found.set(entry.id, known ? joined(known, entry) : entry);
      }
    }
    return [...found.values()];
  }

  private entries(cell: ICodeCellModel): IEntry[] {
    const entries: IEntry[] = [];
    const length = Math.min(cell.outputs.length, MAX_OUTPUTS);
    for (let index = 0; index < length; index += 1) {
      const parsed = this.parsed(cell.outputs.get(index));
      if (parsed !== null) {
        entries.push(entryOf(cell, parsed, index));
      }
    }
    return entries;
  }

  /** Parsed once, for an output gives out a copy of its data at each call. */
  private parsed(output: IOutputModel): Parsed | null {
    if (!OUTPUT_TYPES.has(output.type)) {
      return null;
    }
    let parsed = this.cache.get(output);
    if (parsed === undefined) {
      const data: unknown = output.data[MIME_TYPE];
      parsed = data === undefined ? null : parseProfile(data, this.trans);
      this.cache.set(output, parsed);
      output.changed.connect(this.forget);
    }
    return parsed;
  }

  private readonly forget = (output: IOutputModel): void => {
    this.cache.delete(output);
    output.changed.disconnect(this.forget);
  };

  private readonly cache = new WeakMap<IOutputModel, Parsed | null>();
}

const OUTPUT_TYPES = new Set([
  'display_data',
  'execute_result',
  'update_display_data'
]);

/** Whether a cell is one of code. */
export function isCode(cell: ICellModel): cell is ICodeCellModel {
  return cell.type === 'code';
}

function entryOf(cell: ICodeCellModel, parsed: Parsed, index: number): IEntry {
  const { profile } = parsed;
  const id = profile?.id ?? '';
  const seconds = Date.parse(profile?.started_at ?? '') / 1000;
  return {
    // Of what cannot be read there is no id, but a place.
    id: id === '' ? `${cell.id}:${index}` : id,
    cellIds: [cell.id],
    own: true,
    executionCount: profile?.cell.execution_count ?? cell.executionCount,
    name: profile?.name ?? null,
    title: titleOf(profile?.cell.source ?? '') || titleOf(sourceOf(cell)),
    startedAt: seconds,
    duration: profile?.duration_s ?? null,
    state: profile?.outcome === 'killed' ? 'killed' : 'ended',
    parsed
  };
}

/** A duplicated cell holds the same output under an id of its own. */
function joined(known: IEntry, other: IEntry): IEntry {
  const cellIds = [...known.cellIds, ...other.cellIds];
  const ran = known.parsed?.profile?.cell.id;
  const owner = cellIds.find(cellId => cellId === ran);
  return {
    ...known,
    cellIds: owner ? [...new Set([owner, ...cellIds])] : cellIds
  };
}

function sourceOf(cell: ICodeCellModel): string {
  return cell.sharedModel.getSource();
}
