/**
 * The shape of the configuration file, and with it of every setting. Strict: what is not known is an error.
 */
import { z } from 'zod'
import { parseAddressRange } from '../../gateway/auth/address.ts'
import { type Defaults, LOG_LEVELS } from './settings.ts'

const PORT_MAX = 65_535

const positive = z.int().min(1)
const port = z.int().min(0).max(PORT_MAX)
const text = z.string().min(1)

/** Every limit of an object of limits, each a whole number of at least 1, each optional. */
function limitsLike<Limits extends Readonly<Record<string, unknown>>>(defaults: Limits) {
  const names = Object.keys(defaults) as (keyof Limits & string)[]
  const shape = Object.fromEntries(names.map((name) => [name, positive.optional()]))
  return z.strictObject(shape) as unknown as z.ZodType<{
    readonly [Name in keyof Limits]?: number | undefined
  }>
}

const orderWindow = z.strictObject({
  name: z.string().regex(/^[A-Z0-9]{1,8}$/, 'expected 1 to 8 of A-Z and 0-9'),
  windowMs: positive,
  ordersMax: positive,
})

const limits = z.strictObject({
  isEnabled: z.boolean().optional(),
  weightPerMinuteMax: positive.optional(),
  orderWindows: z.array(orderWindow).min(1).max(10).optional(),
  malformedPerMinuteMax: positive.optional(),
  refusalsBeforeBan: positive.optional(),
  banMsMin: positive.optional(),
  banMsMax: positive.optional(),
  entriesMax: positive.optional(),
})

const http = z.strictObject({
  trustedProxies: z
    .array(
      z.string().refine((range) => parseAddressRange(range) !== undefined, 'expected an address or a range'),
    )
    .optional(),
  bodyBytesMax: positive.optional(),
  bodyTimeoutMs: positive.optional(),
  headerBytesMax: positive.max(16 * 1024).optional(),
  idleTimeoutSeconds: positive.max(255).optional(),
  runtimeBodyBytesMax: positive.optional(),
  stopTimeoutMs: positive.optional(),
})

/** The configuration file. */
export function fileSchema(defaults: Defaults) {
  return z.strictObject({
    dataDirectory: text.optional(),
    host: text.optional(),
    port: port.optional(),
    adminPort: port.optional(),
    logLevel: z.enum(LOG_LEVELS).optional(),
    limits: limits.optional(),
    http: http.optional(),
    stream: limitsLike(defaults.stream).optional(),
    engine: limitsLike(defaults.engine).optional(),
    follower: limitsLike(defaults.follower).optional(),
  })
}

export type FileSettings = z.infer<ReturnType<typeof fileSchema>>
