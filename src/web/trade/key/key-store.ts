/**
 * The browser's store of a key between visits: its name and a CryptoKey that can sign and cannot be exported.
 */

export type KeptKey = {
  /** The API key, its name at the exchange. */
  readonly apiKey: string
  readonly secret: CryptoKey
  /** The account of the key, if known. */
  readonly account?: string | undefined
}

export type KeyStore = {
  read(): Promise<KeptKey | undefined>
  write(key: KeptKey): Promise<void>
  clear(): Promise<void>
}

const DATABASE = 'bourse'
const STORE = 'keys'
const ENTRY = 'trading'

/** In IndexedDB, which stores a CryptoKey without exposing its bytes to the page. */
export function browserKeyStore(indexed: IDBFactory): KeyStore {
  const run = async <Result>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const database = await opened(indexed)
    try {
      const transaction = database.transaction(STORE, mode)
      const request = ask(transaction.objectStore(STORE))
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
      return request.result
    } finally {
      database.close()
    }
  }
  return {
    read: async () => keptKey(await run('readonly', (store) => store.get(ENTRY))),
    write: async (key) => void (await run('readwrite', (store) => store.put(key, ENTRY))),
    clear: async () => void (await run('readwrite', (store) => store.clear())),
  }
}

function opened(indexed: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexed.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function keptKey(value: unknown): KeptKey | undefined {
  if (typeof value !== 'object' || value === null || !('apiKey' in value) || !('secret' in value))
    return undefined
  const { apiKey, secret } = value
  if (typeof apiKey !== 'string' || !(secret instanceof CryptoKey)) return undefined
  const account = 'account' in value && typeof value.account === 'string' ? value.account : undefined
  return { apiKey, secret, account }
}
