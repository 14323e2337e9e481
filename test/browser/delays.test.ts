/** The delays of `npm test -- --delays`: answers overtake each other, and messages of a stream do not. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { randomNumbers } from '../support/random-numbers.ts'
import { launchBrowser } from './support/browser.ts'
import { addDelays } from './support/delays.ts'

setDefaultTimeout(300_000)

const COUNT = 20

test('answers come in another order than their requests, and the messages of a stream in theirs', async () => {
  using node = Bun.serve({
    port: 0,
    fetch: (request, server) =>
      request.headers.has('upgrade') && server.upgrade(request)
        ? undefined
        : new Response(request.url.endsWith('/') ? '<link rel="icon" href="data:,">' : '', {
            headers: { 'Content-Type': 'text/html' },
          }),
    websocket: {
      message: (socket, message) => {
        socket.send(message)
      },
    },
  })
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext()
    await addDelays(context, randomNumbers(1))
    const page = await context.newPage()
    await page.goto(node.url.href)
    const [answered, echoed] = await page.evaluate(async (count) => {
      const numbers = Array.from({ length: count }, (_, index) => index)
      const answers: number[] = []
      const asks = numbers.map(async (index) => {
        await fetch(`/path/${index}`)
        answers.push(index)
      })
      const echoes: number[] = []
      const socket = new WebSocket(location.href.replace('http', 'ws'))
      socket.onopen = () => {
        for (const index of numbers) socket.send(String(index))
      }
      const echoedAll = new Promise((resolve) => {
        socket.onmessage = ({ data }) => {
          if (echoes.push(Number(data)) === count) resolve(undefined)
        }
      })
      await Promise.all([echoedAll, ...asks])
      return [answers, echoes]
    }, COUNT)
    const inOrder = Array.from({ length: COUNT }, (_, index) => index)
    expect(answered?.toSorted((one, other) => one - other)).toEqual(inOrder)
    expect(answered).not.toEqual(inOrder)
    expect(echoed).toEqual(inOrder)
  } finally {
    await browser.close()
  }
})
