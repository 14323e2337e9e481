/** The addresses that only programs on this machine reach. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

/** Whether a listener on `hostname`, or a request for it, stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname)
}

/** The host as written in a URL, where an IPv6 address is enclosed in brackets. */
export function hostInUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
