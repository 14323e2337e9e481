/** The platform functions of Node, Bun and browsers. */
import type { ClientSocket, Platform } from './ports.ts'

/** The class of WebSockets: the runtime's, or the given one if it has none (Node before 22). */
export type WebSocketClass = new (url: string) => unknown

export function defaultPlatform(webSocket?: WebSocketClass): Platform {
  return {
    fetch: (url, request) =>
      fetch(url, { ...request, redirect: 'error', credentials: 'omit', cache: 'no-store' }),
    openSocket: (url) => openSocket(url, webSocket),
    schedule: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
    now: () => performance.now(),
    wallTime: () => Date.now(),
    random: () => Math.random(),
    randomHex,
    subtle: globalThis.crypto?.subtle,
  }
}

function openSocket(url: string, given: WebSocketClass | undefined): ClientSocket {
  const Socket = given ?? (globalThis as { readonly WebSocket?: WebSocketClass }).WebSocket
  if (Socket === undefined) {
    throw new TypeError(
      'This runtime has no WebSocket: pass one to the client as webSocket (for example from the package ws).',
    )
  }
  return new Socket(url) as ClientSocket
}

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes))
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('')
}
