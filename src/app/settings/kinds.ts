/**
 * The forms of settings: the accepted values, their notation on a command line or in the environment, and the
 * text that describes the expected form.
 */
import { parseAddressRange } from '../../server/access/auth/address.ts'
import type { OrderWindow } from '../../server/access/limits/limits-config.ts'
import { isLoopback } from '../../server/listener/loopback.ts'

export type SettingValue = string | number | boolean | readonly string[] | readonly OrderWindow[]

export type Kind = {
  /** The text after "expected" in a message. */
  readonly expected: string
  /** Converts the value in the file to a setting; undefined if it is invalid. */
  readonly check: (value: unknown) => SettingValue | undefined
  /** Converts a text of the command line or the environment to its form in the file. */
  readonly parse: (text: string) => unknown
}

const PORT_MAX = 65_535
const LIST_MAX = 100
const WINDOWS_MAX = 10

/** A whole number. */
export function count(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind {
  const upTo = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return {
    expected: `a whole number ${upTo}`,
    check: (value) =>
      Number.isSafeInteger(value) && isBetween(value as number, min, max) ? (value as number) : undefined,
    parse: numberOf,
  }
}

/** A whole number, or a word instead. */
export function countOr(word: string, min: number, max: number): Kind {
  const { check, parse } = count(min, max)
  return {
    expected: `a whole number from ${min} to ${max}, or ${word}`,
    check: (value) => (value === word ? word : check(value)),
    parse: (text) => (text === word ? word : parse(text)),
  }
}

export const PORT: Kind = { ...count(0, PORT_MAX), expected: `a port from 0 to ${PORT_MAX}` }

export const TEXT: Kind = {
  expected: 'a text that is not empty',
  check: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  parse: (text) => text,
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** `03:30` */
export const TIME_OF_DAY: Kind = {
  expected: 'a time of the day in UTC, from 00:00 to 23:59',
  check: (value) => (typeof value === 'string' && TIME.test(value) ? value : undefined),
  parse: (text) => text,
}

export const SWITCH: Kind = {
  expected: 'on or off (in the file: true or false)',
  check: (value) => (typeof value === 'boolean' ? value : undefined),
  parse: (text) => (text === 'on' ? true : text === 'off' ? false : text),
}

export function oneOf(words: readonly string[]): Kind {
  return {
    expected: `one of ${words.join(', ')}`,
    check: (value) => words.find((word) => word === value),
    parse: (text) => text,
  }
}

/** A list of texts; on a command line they are separated by commas. */
function list(expected: string, isItem: (item: string) => boolean): Kind {
  return {
    expected: `a list of at most ${LIST_MAX} ${expected}`,
    check: (value) => {
      if (!Array.isArray(value) || value.length > LIST_MAX) return undefined
      return value.every((item) => typeof item === 'string' && isItem(item)) ? (value as string[]) : undefined
    },
    parse: (text) => (text === '' ? [] : text.split(',').map((item) => item.trim())),
  }
}

export const ADDRESS_RANGES: Kind = list(
  'addresses or ranges, such as 10.0.0.0/8',
  (item) => parseAddressRange(item) !== undefined,
)

export const ORIGINS: Kind = list('origins, such as https://trade.example, or only *', isOrigin)

const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const ALL_DIGITS = /^[\d.]+$/

/** A domain that browsers bind passkeys to: they refuse an address in its place. */
export const DOMAIN_NAME: Kind = {
  expected: 'a domain in lowercase, such as exchange.example',
  check: (value) =>
    typeof value === 'string' && DOMAIN.test(value) && !ALL_DIGITS.test(value) ? value : undefined,
  parse: (text) => text,
}

export const MAIL_ADDRESS: Kind = {
  expected: 'an email address, such as no-reply@exchange.example',
  check: (value) =>
    typeof value === 'string' && /^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/.test(value) ? value : undefined,
  parse: (text) => text,
}

/** Origins of a page that may use passkeys: over TLS, or on this machine. */
export const SECURE_ORIGINS: Kind = list(
  'origins with https, such as https://trade.example; http only for localhost',
  isSecureOrigin,
)

/** The address of a link's server: a socket in the file system, or a port. */
export type LinkPlace =
  | { readonly kind: 'SOCKET'; readonly path: string }
  | { readonly kind: 'PORT'; readonly host: string; readonly port: number; readonly isTls: boolean }

const LISTENED = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/
const REACHED = /^(wss?):\/\/(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})\/?$/

/** `host:port`, or the absolute path of a socket; undefined for any other text. */
export function listenedPlace(text: string): LinkPlace | undefined {
  if (text.startsWith('/')) return { kind: 'SOCKET', path: text }
  const [, host = '', port = ''] = LISTENED.exec(text) ?? []
  return portPlace(host, port, !isLoopback(host))
}

/**
 * `wss://host:port`; `ws://` for an address of this machine; or the absolute path of a socket; undefined for
 * any other text.
 */
export function reachedPlace(text: string): LinkPlace | undefined {
  if (text.startsWith('/')) return { kind: 'SOCKET', path: text }
  const [, scheme, host = '', port = ''] = REACHED.exec(text) ?? []
  if (scheme === 'ws' && !isLoopback(host)) return undefined
  return portPlace(host, port, scheme === 'wss')
}

function portPlace(host: string, port: string, isTls: boolean): LinkPlace | undefined {
  if (host === '' || Number(port) > PORT_MAX) return undefined
  return { kind: 'PORT', host: host.replace(/^\[|\]$/g, ''), port: Number(port), isTls }
}

export const LISTENED_PLACE: Kind = {
  expected: 'host:port, or the absolute path of a socket',
  check: (value) => (typeof value === 'string' && listenedPlace(value) !== undefined ? value : undefined),
  parse: (text) => text,
}

export const REACHED_EXPECTED =
  'wss://host:port, ws://127.0.0.1:port on this machine, or the absolute path of a socket'

export const REACHED_PLACES: Kind = {
  ...list(REACHED_EXPECTED, (item) => reachedPlace(item) !== undefined),
  expected: `a list of at most ${LIST_MAX} of ${REACHED_EXPECTED}`,
}

/** `10S:10000:100,1D:86400000:200000` on a command line: name, milliseconds, orders. */
export const ORDER_WINDOWS: Kind = {
  expected: `1 to ${WINDOWS_MAX} windows with different names, each with name (1 to 8 of A-Z0-9), windowMs and ordersMax`,
  check: (value) => {
    if (!Array.isArray(value) || !isBetween(value.length, 1, WINDOWS_MAX) || !value.every(isOrderWindow))
      return undefined
    return new Set(value.map(({ name }) => name)).size === value.length ? value : undefined
  },
  parse: (text) =>
    text.split(',').map((window) => {
      const [name, windowMs = '', ordersMax = '', ...more] = window.trim().split(':')
      return more.length > 0 ? window : { name, windowMs: numberOf(windowMs), ordersMax: numberOf(ordersMax) }
    }),
}

/** The value as it would be written on the command line. */
export function textOf(value: SettingValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value !== 'object') return String(value)
  return value
    .map((item) => (typeof item === 'string' ? item : `${item.name}:${item.windowMs}:${item.ordersMax}`))
    .join(',')
}

function numberOf(text: string): unknown {
  return /^\d{1,16}$/.test(text) ? Number(text) : text
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

function isOrigin(text: string): boolean {
  if (text === '*') return true
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isSecureOrigin(text: string): boolean {
  if (text === '*' || !isOrigin(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

function isOrderWindow(value: unknown): value is OrderWindow {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return false
  const { name, windowMs, ordersMax } = value as Partial<Record<keyof OrderWindow, unknown>>
  const isCount = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) >= 1
  return typeof name === 'string' && /^[A-Z0-9]{1,8}$/.test(name) && isCount(windowMs) && isCount(ordersMax)
}
