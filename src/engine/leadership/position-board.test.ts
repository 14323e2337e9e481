import { expect, test } from 'bun:test'
import type { Seq } from '../../units/quantities.ts'
import { POSITION_BOARD_BYTES, PositionBoard } from './position-board.ts'

test('a position is read as it was written, by everyone who shares the memory, and before the first there is position 0', () => {
  const memory = new SharedArrayBuffer(POSITION_BOARD_BYTES)
  const [writer, reader] = [new PositionBoard(memory), new PositionBoard(memory)]
  expect(reader.read()).toMatchObject({ position: 0, epoch: 0, seq: 0 })
  for (const number of [1, 2 ** 40]) {
    const written = {
      position: number,
      epoch: number + 1,
      seq: (number + 2) as Seq,
      hash: new Uint8Array(32).fill(number % 251),
    }
    writer.write(written)
    expect(reader.read()).toEqual(written)
  }
})

test('a position that is being written is not seen in parts', () => {
  const memory = new SharedArrayBuffer(POSITION_BOARD_BYTES)
  const [writer, reader] = [new PositionBoard(memory), new PositionBoard(memory)]
  const whole = { position: 1, epoch: 1, seq: 1 as Seq, hash: new Uint8Array(32).fill(1) }
  writer.write(whole)
  expect(reader.read()).toEqual(whole)
  // As if the writer were suspended in the middle.
  Atomics.add(new Int32Array(memory, 0, 1), 0, 1)
  new Float64Array(memory, 8, 1)[0] = 2
  expect(reader.read()).toEqual(whole)
})
