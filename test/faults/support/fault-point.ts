/**
 * A system call of the node that is to fail: which call, on which file, its index among the calls of that
 * kind there, and the error. The points of a run are read from the output of strace for a run without
 * failures.
 */

/** The errors that are tried for each call. */
const ERRORS_BY_CALL = {
  fsync: ['EIO'],
  fdatasync: ['EIO'],
  write: ['ENOSPC', 'EIO'],
  pwrite64: ['ENOSPC', 'EIO'],
  read: ['EIO'],
  pread64: ['EIO'],
  ftruncate: ['EIO'],
  openat: ['EIO', 'EMFILE'],
  mkdir: ['ENOSPC'],
  rename: ['EIO', 'ENOSPC'],
  unlink: ['EIO'],
} as const

type Call = keyof typeof ERRORS_BY_CALL
export const CALLS = Object.keys(ERRORS_BY_CALL) as Call[]

/**
 * The errors of a full disk, or of an exhausted quota, for calls that may need space. Fault points inject
 * some of these errors once; here they are lasting, as on a full disk.
 */
const FULL_ERRORS = ['ENOSPC', 'EDQUOT'] as const
const CALLS_THAT_NEED_ROOM: readonly Call[] = ['write', 'pwrite64', 'mkdir', 'rename']

export type FaultPoint = {
  readonly call: Call
  /** Path below the data directory; '' is the directory itself. */
  readonly file: string
  /** Counted from 1 in each thread, for this call on this file. */
  readonly nth: number
  /** Whether the call opens a file, and creates it if it does not exist. */
  readonly makesFile?: boolean
}

export type Fault = FaultPoint & {
  /**
   * The system's name of an error; or `LIE`: the call does nothing and reports success; or `KILL`: the
   * process ends with the call.
   */
  readonly error: string
  /** Whether every such call from there on fails, not only that one. */
  readonly lasting: boolean
}

/** One line of strace: process, call, and the rest. */
const LINE = /^(\d+) +(\w+)\((.*)/

/** Every call on a file of `data`, in the order in which a run made them. */
export function pointsOf(trace: string, data: string): FaultPoint[] {
  const counts = new Map<string, number>()
  const points = new Map<string, FaultPoint>()
  for (const line of trace.split('\n')) {
    const [, thread = '', call = '', rest = ''] = LINE.exec(line) ?? []
    const file = fileOf(rest, data)
    if (!(call in ERRORS_BY_CALL) || file === undefined) continue
    const place = `${call} ${file}`
    const nth = (counts.get(`${thread} ${place}`) ?? 0) + 1
    counts.set(`${thread} ${place}`, nth)
    const makesFile = call === 'openat' && rest.includes('O_CREAT')
    const point = { call: call as Call, file, nth, ...(makesFile ? { makesFile } : {}) }
    const key = `${place} ${nth}`
    if (!points.has(key)) points.set(key, point)
  }
  return [...points.values()]
}

/** The first file of `data` in the arguments, by path ("...") or by an open file (3<...>). */
function fileOf(argumentsText: string, data: string): string | undefined {
  for (const [, file = ''] of argumentsText.matchAll(/["<](\/[^">]*)[">]/g)) {
    if (file === data) return ''
    if (file.startsWith(`${data}/`)) return file.slice(data.length + 1)
  }
  return undefined
}

/** Each way in which this call may fail, once or lastingly. */
export function faultsAt(point: FaultPoint): Fault[] {
  return ERRORS_BY_CALL[point.call].flatMap((error) =>
    [false, true].map((lasting) => ({ ...point, error, lasting })),
  )
}

/** Each way in which the disk is full from this call on; none if the call needs no space. */
export function fullAt(point: FaultPoint): Fault[] {
  if (!CALLS_THAT_NEED_ROOM.includes(point.call) && !point.makesFile) return []
  return FULL_ERRORS.map((error) => ({ ...point, error, lasting: true }))
}

export function isFullDisk({ error, lasting }: Fault): boolean {
  return lasting && FULL_ERRORS.some((full) => full === error)
}

export function killAt(point: FaultPoint): Fault {
  return { ...point, error: 'KILL', lasting: false }
}

export function nameOf({ call, file, nth, error, lasting }: Fault): string {
  return `${error} at ${call} ${nth}${lasting ? ' and after' : ''} of ${file === '' ? 'the directory' : file}`
}
