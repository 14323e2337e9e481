/** The limits named in the text of RATE_LIMITED: their size, their owner, and their setting. */
import type { Localised } from './language.ts'

/**
 * The limit of an address in a minute, or of all addresses of an IPv6 network (`2001:db8::/48`) together;
 * `max`: the limit itself.
 */
export function perMinuteText(
  what: 'weight' | 'openings',
  max: number,
  network: string | undefined,
): Localised {
  const of = network === undefined ? { en: 'for an address', tr: 'bir adres için' } : ofNetwork(network)
  return what === 'weight'
    ? {
        en: `a weight of ${max} per minute ${of.en} (limits.weightPerMinuteMax)`,
        tr: `${of.tr} dakikada ${max} ağırlık (limits.weightPerMinuteMax)`,
      }
    : {
        en: `${max} new stream connections per minute ${of.en} (limits.openingsPerMinuteMax)`,
        tr: `${of.tr} dakikada ${max} yeni akış bağlantısı (limits.openingsPerMinuteMax)`,
      }
}

function ofNetwork(network: string): Localised {
  return { en: `for the network ${network}`, tr: `${network} ağı için` }
}

/** The limit of a connection, or of all connections of an address, on the stream in a second. */
export const PER_SECOND_TEXTS = {
  messages: (max: number): Localised => ({
    en: `${max} messages per second on a connection (stream.messagesPerSecondMax)`,
    tr: `bir bağlantıda saniyede ${max} mesaj (stream.messagesPerSecondMax)`,
  }),
  addressMessages: (max: number): Localised => ({
    en: `${max} messages per second on all connections of an address (stream.messagesPerAddressPerSecondMax)`,
    tr: `bir adresin bütün bağlantılarında saniyede ${max} mesaj (stream.messagesPerAddressPerSecondMax)`,
  }),
  joins: (max: number): Localised => ({
    en: `${max} joins, complete books and candles per second on a connection (stream.joinsPerSecondMax)`,
    tr: `bir bağlantıda saniyede ${max} katılma, tam defter ve mum isteği (stream.joinsPerSecondMax)`,
  }),
} as const
