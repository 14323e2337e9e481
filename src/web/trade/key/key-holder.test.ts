import { describe, expect, test } from 'bun:test'
import { importSecret } from '../../../client/access/signer.ts'
import { KeyHolder, type TabMessages } from './key-holder.ts'
import type { KeptKey, KeyStore } from './key-store.ts'

const SECRET = 'b'.repeat(64)

function browser(isKeeping = true) {
  let kept: KeptKey | undefined
  const store: KeyStore = {
    read: async () => kept,
    write: async (key) => {
      if (!isKeeping) throw new Error('nothing is kept')
      kept = key
    },
    clear: async () => {
      kept = undefined
    },
  }
  const tabs: TabMessages[] = []
  const tab = (isSecure = true) => {
    const own: TabMessages = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of tabs) if (other !== own) other.onmessage?.({ data } as MessageEvent)
      },
    }
    tabs.push(own)
    return new KeyHolder({ subtle: isSecure ? crypto.subtle : undefined, store, tabs: own, importSecret })
  }
  return { tab, store, kept: () => kept }
}

describe('the API key of a browser', () => {
  test('is stored as a key that cannot be exported, and every tab trades with it', async () => {
    const { tab, kept } = browser()
    const [one, other] = [tab(), tab()]
    await one.start()
    expect(one.state.value.kind).toBe('none')
    await one.take('name', SECRET)
    expect(kept()?.secret.extractable).toBe(false)
    await other.start()
    expect(other.state.value).toMatchObject({ kind: 'held', key: { apiKey: 'name' }, isKept: true })
  })

  test('is dropped by every tab at once, and no longer stored', async () => {
    const { tab, kept } = browser()
    const [one, other] = [tab(), tab()]
    await one.take('name', SECRET)
    await other.start()
    await one.forget()
    expect([one.state.value.kind, other.state.value.kind, kept()]).toEqual(['none', 'none', undefined])
  })

  test('is not used by a tab that was reading it when another one dropped it', async () => {
    const { tab, store } = browser()
    const [one, other] = [tab(), tab()]
    await one.take('name', SECRET)
    const { promise: isRead, resolve } = Promise.withResolvers<void>()
    const { read } = store
    store.read = async () => {
      const key = await read()
      await isRead
      return key
    }
    const starting = other.start()
    await one.forget()
    resolve()
    await starting
    expect(other.state.value.kind).toBe('none')
  })

  test('that the browser does not erase is no longer used, and the page says that it is left', async () => {
    const { tab, store } = browser()
    const holder = tab()
    await holder.take('name', SECRET)
    store.clear = () => Promise.reject(new Error('the disk is full'))
    await holder.forget()
    expect(holder.state.value).toEqual({ kind: 'none', isLeft: true })
  })

  test('does not exist without a secure context', async () => {
    const { tab, kept } = browser()
    const holder = tab(false)
    await holder.start()
    await holder.take('name', SECRET)
    expect([holder.state.value.kind, kept()]).toEqual(['insecure', undefined])
  })

  test('lasts as long as the tab where the browser has no storage, and says so', async () => {
    const holder = browser(false).tab()
    await holder.take('name', SECRET)
    expect(holder.state.value).toMatchObject({ kind: 'held', isKept: false })
  })
})
