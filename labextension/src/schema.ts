/**
 * Generated from jupyter_mlprof/model/profile.schema.json by `npm run types`.
 * Do not edit: change the schema and run it again.
 */

/**
 * What is stored for one run of one cell. Seconds, bytes and percent unless a name says otherwise; NaN and infinities are null; unknown keys are ignored. Line numbers count from 1 at the first line of the cell, as the editor shows them.
 */
export interface CellProfile {
  /**
   * Major version; a reader refuses one that it does not know.
   */
  schema_version: number;
  id: string;
  name: string | null;
  mlprof_version: string;
  /**
   * RFC 3339, UTC.
   */
  started_at: string;
  duration_s: number;
  /**
   * CPU time of the kernel and of its child processes.
   */
  cpu_s: number;
  outcome: 'ok' | 'error' | 'interrupted' | 'killed';
  error: CellError | null;
  cell: Cell;
  machine: Machine;
  verdict: Verdict;
  split: Part[];
  lines: LineTime[];
  functions: FunctionTime[];
  calls: CallSpan | null;
  flame: Flame;
  spans: Spans;
  timeline: Timeline;
  memory: Memory | null;
  gpus: GpuUse[];
  loader: LoaderUse[];
  steps: Steps | null;
  operators: OperatorTime[] | null;
  operator_window: OperatorWindow | null;
  collectors: CollectorReport[];
  overhead: Overhead;
  findings: Finding[];
  previous: Previous | null;
  /**
   * What was left out to stay under the size limit, a phrase each.
   */
  dropped: string[];
}
export interface CellError {
  type: string;
  message: string;
  line: number | null;
}
export interface Cell {
  id: string | null;
  execution_count: number | null;
  /**
   * The whole cell, magic line included; empty when left out on request.
   */
  source: string;
  /**
   * SHA-256 of the whole cell in UTF-8 with \n newlines.
   */
  source_sha256: string;
  truncated: boolean;
  notebook: string | null;
}
export interface Machine {
  python: string;
  platform: string;
  /**
   * Cores this process may use: affinity and CPU quota.
   */
  cores_allowed: number;
  /**
   * Mean number of cores that other processes kept busy during the cell.
   */
  cores_busy_elsewhere: number | null;
  /**
   * Limit of the control group; null when there is none.
   */
  memory_limit_bytes: number | null;
  memory_available_bytes: number | null;
  /**
   * Free room in /dev/shm, through which workers hand over tensors.
   */
  shm_free_bytes: number | null;
  /**
   * How multiprocessing starts processes: fork, spawn or forkserver.
   */
  start_method: string | null;
  gpus: Gpu[];
}
export interface Gpu {
  index: number;
  name: string;
  memory_bytes: number;
  /**
   * CUDA compute capability, as 8.6.
   */
  capability: number | null;
}
export interface Verdict {
  rule: string;
  text: string;
}
export interface Part {
  part: 'data' | 'forward' | 'backward' | 'optimizer' | 'transfer' | 'python' | 'idle' | 'other';
  seconds: number;
}
export interface LineTime {
  line: number;
  /**
   * Time with this line on the stack, whatever it called.
   */
  wall_s: number;
  samples: number;
}
export interface FunctionTime {
  name: string;
  /**
   * <cell> for code of the profiled cell; the home folder is written ~.
   */
  file: string;
  line: number;
  self_s: number;
  total_s: number;
  calls: number | null;
  callers: Caller[] | null;
}
export interface Caller {
  name: string;
  file: string;
  line: number;
  calls: number;
}
/**
 * The span of the cell, in seconds from its start, in which calls were counted.
 */
export interface CallSpan {
  from_s: number;
  to_s: number;
  /**
   * Why counting ended before the cell did.
   */
  reason: string | null;
}
export interface Flame {
  frames: Frame[];
  /**
   * [parent, frame, wall_s]: parent is an index into nodes (-1 for a root, always smaller than the node's own), frame one into frames, wall_s the time of the node with all below it.
   */
  nodes: [number, number, number][];
}
export interface Frame {
  name: string;
  file: string;
  line: number;
}
/**
 * When each stack ran. Span i covers i * step_s to (i + 1) * step_s seconds from the start of the cell.
 */
export interface Spans {
  step_s: number;
  /**
   * Sets of the cell's lines that were on the stack together.
   */
  line_sets: number[][];
  /**
   * [span, node, line set, wall_s]: node is an index into flame.nodes of the deepest function (-1 when it was left out), line set an index into line_sets (-1 for none).
   */
  samples: [number, number, number, number][];
}
export interface Timeline {
  /**
   * Seconds from the start of the cell.
   */
  t_s: number[];
  series: Series[];
}
export interface Series {
  /**
   * rss, children_rss, cpu, children_cpu, read, write, children; for each GPU gpu0_util, gpu0_memory, gpu0_own_memory, gpu0_power, gpu0_temperature.
   */
  name: string;
  /**
   * bytes, cores, bytes/s, count, %, W or °C.
   */
  unit: string;
  /**
   * One for each t_s.
   */
  values: (number | null)[];
}
/**
 * Resident memory of the kernel process.
 */
export interface Memory {
  start_bytes: number;
  peak_bytes: number;
  peak_t_s: number;
  end_bytes: number;
  limit_bytes: number | null;
  holders: Holder[];
}
export interface Holder {
  /**
   * The global variable.
   */
  name: string;
  bytes: number;
  /**
   * What it is, such as Tensor 64 x 3.
   */
  type: string;
}
/**
 * One NVIDIA GPU over the cell: those that the kernel's processes used, or all where the driver does not know them by their ids. What is not known is null.
 */
export interface GpuUse {
  /**
   * The driver's, whatever CUDA_VISIBLE_DEVICES makes of it.
   */
  index: number;
  name: string;
  /**
   * Mean share of the time in which anything ran on it, others' work included.
   */
  busy_pct: number | null;
  /**
   * Joules of the whole GPU over the cell.
   */
  energy_j: number | null;
  /**
   * Most memory that was in use on it, others' included.
   */
  peak_bytes: number | null;
  /**
   * Most memory that the kernel's processes had on it.
   */
  own_peak_bytes: number | null;
  peak_temperature_c: number | null;
  /**
   * When it answered no more, in seconds from the start of the cell.
   */
  lost_at_s: number | null;
}
/**
 * One DataLoader that the cell iterated over.
 */
export interface LoaderUse {
  /**
   * The global variable that holds the loader.
   */
  name: string | null;
  /**
   * The line of the cell that asked for the batches.
   */
  line: number | null;
  /**
   * The call in the cell that built the loader; null when it was built elsewhere.
   */
  built: Span | null;
  /**
   * Qualified class name of the dataset.
   */
  dataset: string;
  /**
   * The dataset or a function of the loader is defined in the notebook.
   */
  dataset_in_notebook: boolean;
  /**
   * An IterableDataset: it shares its work among workers itself, or repeats it.
   */
  iterable: boolean;
  /**
   * What the dataset keeps open, such as a file, which forked workers would share.
   */
  shared: string | null;
  /**
   * How this loader starts workers, where it does not follow multiprocessing.
   */
  start_method: string | null;
  /**
   * Its batches are made on a GPU.
   */
  on_gpu: boolean;
  batch_size: number | null;
  /**
   * Bytes of the tensors in the first batch.
   */
  batch_bytes: number | null;
  workers: number;
  persistent_workers: boolean;
  pin_memory: boolean;
  /**
   * How many loaders the same call built, as one in each epoch.
   */
  loaders: number;
  /**
   * How often iteration began.
   */
  epochs: number;
  batches: number;
  /**
   * From the start of each iteration to its end, summed: waiting and what the loop did with the batches.
   */
  loop_s: number;
  /**
   * Time in which the loop waited for a batch.
   */
  wait_s: number;
  /**
   * Part of wait_s that went to the first batch of each epoch.
   */
  first_wait_s: number;
  /**
   * Time in the dataset, summed over workers; null when it could not be seen.
   */
  fetch_s: number | null;
  /**
   * CPU time of the fetching threads, collation included.
   */
  fetch_cpu_s: number | null;
  /**
   * Estimated time in which the fetching threads were ready to compute and had no core, since other work kept them busy.
   */
  fetch_core_wait_s: number | null;
  collate_s: number | null;
  /**
   * Part of wait_s that went to starting and ending worker processes.
   */
  start_s: number;
  /**
   * Batches that were fetched: more than the loop took where it ended early.
   */
  fetches: number | null;
  /**
   * How many batches each worker fetches ahead.
   */
  prefetch: number | null;
  /**
   * Why the time in the dataset could not be seen: the workers ran before the cell, or nothing came from them.
   */
  unseen: 'started-before' | 'not-watched' | null;
  /**
   * Another thread of the cell took batches; what it waited is not in wait_s, nor its loop in loop_s.
   */
  in_thread: boolean;
}
/**
 * A part of the cell's source: lines from 1, columns from 0 in code points, end exclusive.
 */
export interface Span {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}
export interface Steps {
  /**
   * Steps of the optimizer that stepped most often.
   */
  count: number;
  /**
   * Time from one step to the next.
   */
  seconds: number[];
  /**
   * Time inside the steps of all optimizers.
   */
  optimizer_s: number;
}
export interface OperatorTime {
  name: string;
  line: number | null;
  calls: number;
  /**
   * Wall time of the calling thread in the operator itself, without those it called.
   */
  cpu_s: number;
  /**
   * Time of the kernels that it launched itself; null without a device.
   */
  device_s: number | null;
  /**
   * Of its tensors, as 256 x 2048, 2048 x 10.
   */
  shapes: string;
  /**
   * Of its tensors, as float32.
   */
  dtype: string;
}
/**
 * The part of the cell in which operators were watched. Times are of that part, not of the cell.
 */
export interface OperatorWindow {
  /**
   * Seconds from the start of the cell.
   */
  from_s: number;
  to_s: number;
  /**
   * Whole optimizer steps in it; 0 where it was opened by time.
   */
  steps: number;
  /**
   * Calls of operators, and kernels, that were recorded.
   */
  events: number;
  /**
   * Of all operators.
   */
  cpu_s: number;
  device_s: number | null;
  dense: DenseTime[];
  /**
   * torch.get_float32_matmul_precision() at the end of the cell: highest, high or medium.
   */
  matmul_precision: string | null;
  /**
   * How many times as fast this CPU would do all float32 operators of dense in bfloat16, casts included, by those that were measured; null where none was.
   */
  bf16_speedup: number | null;
}
/**
 * Operators that matrix units such as tensor cores or AMX could do.
 */
export interface DenseTime {
  kind: 'matmul' | 'convolution' | 'attention' | 'recurrent';
  dtype: string;
  calls: number;
  cpu_s: number;
  device_s: number | null;
}
export interface CollectorReport {
  name: string;
  state: 'ran' | 'cut' | 'off' | 'unavailable' | 'failed';
  reason: string | null;
  cost_cpu_s: number;
}
export interface Overhead {
  budget_pct: number;
  kernel_cpu_s: number;
  sidecar_cpu_s: number;
  after_cell_s: number;
}
export interface Finding {
  rule: string;
  kind:
    | 'vectorization'
    | 'batching'
    | 'input-pipeline'
    | 'per-item-io'
    | 'graph-rebuild'
    | 'autograd-waste'
    | 'host-conversion'
    | 'precision'
    | 'device-sync'
    | 'kernel-config'
    | 'dataframe'
    | 'parallelism'
    | 'logging-io'
    | 'serving';
  title: string;
  line: number | null;
  evidence: Evidence[];
  gain: Gain;
  confidence: 'low' | 'medium' | 'high';
  costs: string[];
  fix: Fix | null;
  advice: string;
  /**
   * What came of trying the fix; null as long as it was not tried.
   */
  trial: Trial | null;
}
export interface Evidence {
  name: string;
  value: number | null;
  /**
   * s, bytes, %, x, cores, or a counted noun.
   */
  unit: string;
  threshold: number | null;
  source: string | null;
}
/**
 * For time: the whole cell becomes low to high times faster. For memory: low to high times smaller peak.
 */
export interface Gain {
  metric: 'time' | 'memory';
  low: number;
  high: number;
  basis: string;
}
export interface Fix {
  source_sha256: string;
  /**
   * Sorted, not overlapping.
   */
  edits: TextEdit[];
}
export interface TextEdit {
  /**
   * Offset in UTF-16 code units into the whole source.
   */
  start: number;
  end: number;
  text: string;
}
export interface Trial {
  verdict: 'pays' | 'does-not-pay' | 'cannot-tell' | 'refused';
  /**
   * The verdict in a sentence or two.
   */
  text: string;
  /**
   * How often original and changed cell ran side by side.
   */
  pairs: number;
  took_s: number | null;
  /**
   * Of the whole cell, original over changed.
   */
  speedup: Interval | null;
  /**
   * The same of its later steps, without what is paid once.
   */
  steady: number | null;
  /**
   * The whole cell as it was.
   */
  before_s: number | null;
  /**
   * The whole cell as changed.
   */
  after_s: number | null;
  /**
   * After how many steps each run was stopped; null where all ran to the end.
   */
  steps: number | null;
  memory_change_bytes: number | null;
  /**
   * How many variables of both were held against each other.
   */
  compared: number;
  drift: Drift | null;
}
export interface Interval {
  low: number | null;
  middle: number | null;
  high: number | null;
}
export interface Drift {
  /**
   * The variable whose value differs most.
   */
  name: string;
  /**
   * By what share of the value.
   */
  relative: number | null;
  /**
   * The same between two runs of the original.
   */
  same_code: number | null;
}
/**
 * The profile of the same cell before this one.
 */
export interface Previous {
  id: string;
  duration_s: number;
  peak_bytes: number | null;
  verdict: string;
}
