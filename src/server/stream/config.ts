/**
 * The stream's limits. Defaults are the sandbox's: neither a test suite nor manual use reaches them, but a
 * flood does.
 */
import { invariant } from '../../units/invariant.ts'

export type StreamConfig = {
  /** Maximum number of connections at a time, both transports together. */
  readonly connectionsMax: number
  /** Maximum number of connections of one client address at a time. */
  readonly connectionsPerAddressMax: number
  /** Maximum number of symbols joined by one connection. */
  readonly roomsPerConnectionMax: number
  /** Maximum number of channels of symbols that one connection subscribes to. */
  readonly subscriptionsPerConnectionMax: number
  /**
   * Maximum number of messages of one connection in a second; those in the rest of the second are ignored.
   */
  readonly messagesPerSecondMax: number
  /** Maximum number of joins, room changes and subscriptions to whole books of one connection in a second. */
  readonly joinsPerSecondMax: number
  /**
   * Maximum number of requests of one connection, logins and orders, that have no answer yet; beyond it,
   * REQUESTS_UNDER_WAY.
   */
  readonly requestsUnderWayMax: number
  /**
   * Maximum number of frames of one connection per second, including control frames, polling requests and
   * packets, and of frames at once. A connection that sends more is closed.
   */
  readonly framesPerSecondMax: number
  readonly framesBurstMax: number
  /**
   * Maximum number of bytes of payload accepted from one connection per second, and at once. A connection
   * that sends more is closed.
   */
  readonly receivedBytesPerSecondMax: number
  readonly receivedBytesBurstMax: number
  /**
   * The same limits of frames and bytes for all connections of one address together. If they exceed it, the
   * connection that sends more is closed.
   */
  readonly framesPerAddressPerSecondMax: number
  readonly framesPerAddressBurstMax: number
  readonly receivedBytesPerAddressPerSecondMax: number
  readonly receivedBytesPerAddressBurstMax: number
  /**
   * Maximum number of messages of all connections of one address per second, including logins and requests,
   * and of messages at once. Further ones are refused unread.
   */
  readonly messagesPerAddressPerSecondMax: number
  readonly messagesPerAddressBurstMax: number
  /** Maximum length of a message of a connection that is not logged in, in bytes. */
  readonly frameBytesBeforeLoginMax: number
  /** Maximum length of a message from a client, in bytes; also that of the body of a polling request. */
  readonly frameBytesMax: number
  /** Time limit for the body of a polling request to arrive. */
  readonly bodyMsMax: number
  /**
   * Maximum number of bytes waiting for one connection when an update is sent to it, the update included.
   * Beyond it the connection misses updates and gets a fresh book once it has drained. One book, sent to a
   * drained connection, may exceed it.
   */
  readonly sendBufferBytesMax: number
  /** A connection with at most this number of waiting bytes counts as drained. */
  readonly drainedBytesMax: number
  /**
   * Limit of bytes queued for all connections. A connection that needs more misses updates, and the next
   * sweep closes those with the longest queues.
   */
  readonly sendBuffersBytesMax: number
  /**
   * Maximum number of queued matches and changed prices, of all rooms and channels together. Beyond it, the
   * members of the room with the most get its book instead.
   */
  readonly queuedEventsMax: number
  /** A connection that has not drained for this long is closed. */
  readonly stuckMsMax: number
  /** Interval of the search for stuck connections. */
  readonly sweepMs: number
  /**
   * Number of trades in the first `trades` event after a join: as many as the HTTP interface returns by
   * default.
   */
  readonly tradesOnJoin: number
  /**
   * Number of candle channels whose closed candles are kept in memory for newcomers; for other channels they
   * are read again. About 200 to 400 KB each.
   */
  readonly candleListsMax: number
  /** The time after which clients are asked to reconnect, counted from a planned stop. */
  readonly reconnectAfterMs: number
  /** Socket.IO: the interval of pings, and the time limit of an answer. */
  readonly pingIntervalMs: number
  readonly pingTimeoutMs: number
  /**
   * A WebSocket that is silent for this long, with pings unanswered, is closed; so is one that no longer
   * accepts data. 8 to 960.
   */
  readonly idleTimeoutSeconds: number
}

/** The time by which the runtime's timeout of a request can be early. */
export const TIMEOUT_GRAIN_SECONDS = 4
/**
 * Maximum time that a poll may stay unanswered: the longest timeout of a request that the runtime accepts is
 * 255 s.
 */
export const POLL_SECONDS_MAX = 255 - TIMEOUT_GRAIN_SECONDS

const KIB = 1024
const MIB = 1024 * KIB

export const STREAM_DEFAULTS: StreamConfig = {
  connectionsMax: 20_000,
  connectionsPerAddressMax: 10_000,
  roomsPerConnectionMax: 100,
  subscriptionsPerConnectionMax: 200,
  messagesPerSecondMax: 1_000,
  joinsPerSecondMax: 50,
  requestsUnderWayMax: 256,
  framesPerSecondMax: 2_000,
  framesBurstMax: 4_000,
  receivedBytesPerSecondMax: MIB,
  receivedBytesBurstMax: 4 * MIB,
  framesPerAddressPerSecondMax: 100_000,
  framesPerAddressBurstMax: 200_000,
  receivedBytesPerAddressPerSecondMax: 16 * MIB,
  receivedBytesPerAddressBurstMax: 64 * MIB,
  messagesPerAddressPerSecondMax: 100_000,
  messagesPerAddressBurstMax: 200_000,
  frameBytesBeforeLoginMax: 4 * KIB,
  frameBytesMax: 16 * KIB,
  bodyMsMax: 10_000,
  sendBufferBytesMax: 4 * MIB,
  drainedBytesMax: 64 * KIB,
  sendBuffersBytesMax: 512 * MIB,
  queuedEventsMax: 200_000,
  stuckMsMax: 30_000,
  sweepMs: 1_000,
  tradesOnJoin: 500,
  candleListsMax: 200,
  reconnectAfterMs: 5_000,
  pingIntervalMs: 25_000,
  pingTimeoutMs: 20_000,
  idleTimeoutSeconds: 60,
}

/**
 * For the public: no address can take all connections, and no client can request whole books without limit.
 */
export const SERVE_STREAM: StreamConfig = {
  ...STREAM_DEFAULTS,
  connectionsPerAddressMax: 500,
  messagesPerSecondMax: 50,
  joinsPerSecondMax: 5,
  framesPerSecondMax: 100,
  framesBurstMax: 500,
  receivedBytesPerSecondMax: 128 * KIB,
  receivedBytesBurstMax: 512 * KIB,
  framesPerAddressPerSecondMax: 1_000,
  framesPerAddressBurstMax: 5_000,
  receivedBytesPerAddressPerSecondMax: MIB,
  receivedBytesPerAddressBurstMax: 8 * MIB,
  messagesPerAddressPerSecondMax: 2_000,
  messagesPerAddressBurstMax: 10_000,
}

type LimitName = keyof StreamConfig
type Bound = {
  readonly name: LimitName
  readonly must: 'be below' | 'be at most'
  readonly other: LimitName
}

const atMost = (name: LimitName, other: LimitName): Bound => ({ name, must: 'be at most', other })

/**
 * Rules between the limits: the allowance of a connection must be within that of its address, and that within
 * the total. Settings must follow the same rules.
 */
export const STREAM_BOUNDS: readonly Bound[] = [
  { name: 'drainedBytesMax', must: 'be below', other: 'sendBufferBytesMax' },
  atMost('sendBufferBytesMax', 'sendBuffersBytesMax'),
  atMost('frameBytesMax', 'receivedBytesBurstMax'),
  atMost('frameBytesMax', 'receivedBytesPerAddressBurstMax'),
  atMost('connectionsPerAddressMax', 'connectionsMax'),
  atMost('messagesPerSecondMax', 'messagesPerAddressPerSecondMax'),
  atMost('framesPerSecondMax', 'framesPerAddressPerSecondMax'),
  atMost('framesBurstMax', 'framesPerAddressBurstMax'),
  atMost('receivedBytesPerSecondMax', 'receivedBytesPerAddressPerSecondMax'),
  atMost('receivedBytesBurstMax', 'receivedBytesPerAddressBurstMax'),
]

/** Stops on a configuration whose limits contradict one another. */
export function checkStreamConfig(config: StreamConfig): void {
  for (const [name, value] of Object.entries(config)) {
    invariant(
      Number.isSafeInteger(value) && value >= 1,
      () => `stream ${name} must be at least 1, found ${value}`,
    )
  }
  for (const { name, must, other } of STREAM_BOUNDS) {
    const [value, most] = [config[name], config[other]]
    const holds = must === 'be below' ? value < most : value <= most
    invariant(holds, () => `stream ${name} (${value}) must ${must} ${other} (${most})`)
  }
  invariant(
    config.idleTimeoutSeconds >= 8 && config.idleTimeoutSeconds <= 960,
    'stream idleTimeoutSeconds must be 8 to 960',
  )
}
