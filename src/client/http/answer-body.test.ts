import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { textOfNumbers } from './answer-body.ts'

const LONG = '90071992547409.91234567'

test('numbers with decimals become texts with their own digits', () => {
  const order = `{"data":{"price":${LONG},"qty":1,"total":0.5,"count":7}}`
  expect(JSON.parse(textOfNumbers(order, ['price', 'qty', 'total']))).toEqual({
    data: { price: LONG, qty: '1', total: '0.5', count: 7 },
  })
  const depth = `{"sell":{"60000.50":${LONG}},"buy":{"59999.5":2,"1":3}}`
  expect(JSON.parse(textOfNumbers(depth, ['*']))).toEqual({
    sell: { '60000.50': LONG },
    buy: { '59999.5': '2', '1': '3' },
  })
})

test('no text within an answer is mistaken for a member', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, price) => {
      const json = JSON.stringify({ text, more: `"price":5 ${text}`, price, list: [text, '"price":6'] })
      const read = JSON.parse(textOfNumbers(json, ['price']))
      expect(read).toEqual({ text, more: `"price":5 ${text}`, price: `${price}`, list: [text, '"price":6'] })
    }),
  )
})
