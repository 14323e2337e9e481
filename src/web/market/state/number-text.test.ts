import { describe, expect, test } from 'bun:test'
import { decimals, price } from '../../../units/quantities.ts'
import { figure, grouped, groupedDecimal, midPrice, spreadPercent } from './number-text.ts'

describe('figures for people', () => {
  test('the whole part stands in groups of three, decimals do not', () => {
    expect(grouped(123_456_789, decimals(2))).toBe('1\u202f234\u202f567.89')
    expect(grouped(123_456n, decimals(0))).toBe('123\u202f456')
    expect(grouped(12_345_678n, decimals(8))).toBe('0.12345678')
    expect(grouped(999, decimals(0))).toBe('999')
    expect(grouped(123_456_789_012_345_678_901n, decimals(2))).toBe(
      '1\u202f234\u202f567\u202f890\u202f123\u202f456\u202f789.01',
    )
  })

  test('zeros at the end are a separate part, with the point when nothing else follows it', () => {
    expect(figure(150_000_000n, decimals(8))).toEqual({ text: '1.5', zeros: '0000000' })
    expect(figure(100_000n, decimals(2))).toEqual({ text: '1\u202f000', zeros: '.00' })
    expect(figure(1_000, decimals(0))).toEqual({ text: '1\u202f000', zeros: '' })
    expect(figure(0n, decimals(2))).toEqual({ text: '0', zeros: '.00' })
  })

  test('a decimal gets back the zeros at its end', () => {
    expect(groupedDecimal('1234.5', decimals(2))).toBe('1\u202f234.50')
    expect(groupedDecimal('60000', decimals(2))).toBe('60\u202f000.00')
    expect(groupedDecimal('1000', decimals(0))).toBe('1\u202f000')
    expect(groupedDecimal('0.00000001', decimals(8))).toBe('0.00000001')
  })

  test('the middle price is exact', () => {
    expect(midPrice(price(10_000), price(10_002), decimals(2))).toBe('100.01')
    expect(midPrice(price(10_000), price(10_001), decimals(2))).toBe('100.005')
  })

  test('the spread is a share of the middle price', () => {
    expect(spreadPercent(price(9_900), price(10_100))).toBe('2.000')
  })
})
