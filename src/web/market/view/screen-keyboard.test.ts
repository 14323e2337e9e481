import { expect, test } from 'bun:test'
import { hiddenBelow } from './screen-keyboard.ts'

test.each([
  ['no keyboard', { height: 660, offsetTop: 0, scale: 1 }, 0],
  ['a bar of the browser', { height: 604, offsetTop: 0, scale: 1 }, 0],
  ['a keyboard', { height: 330, offsetTop: 0, scale: 1 }, 330],
  ['a keyboard, and a page that was moved up behind it', { height: 330, offsetTop: 90, scale: 1 }, 240],
  ['a page that is zoomed in', { height: 330, offsetTop: 0, scale: 2 }, 0],
] as const)('%s covers part of the page', (_what, seen, hidden) => {
  expect(hiddenBelow(660, seen)).toBe(hidden)
})
