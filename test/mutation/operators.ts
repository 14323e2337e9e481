/**
 * The changes that are tried: the usual operators of mutation testing, and slips that cost an exchange money
 * and that the usual ones do not make (a number off by one, two arguments exchanged, maker for taker, one
 * statement left out). Most of their mutants do not compile and are dropped.
 *
 * Not changed: types, imports, messages of errors, and `invariant` calls, which no input should reach.
 */
import {
  isArrayLiteralExpression,
  isBigIntLiteral,
  isBinaryExpression,
  isBreakStatement,
  isCallExpression,
  isConditionalExpression,
  isContinueStatement,
  isExpressionStatement,
  isForStatement,
  isIdentifier,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNewExpression,
  isNumericLiteral,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isStringLiteral,
  isThrowStatement,
  isTypeAliasDeclaration,
  isTypeNode,
  isWhileStatement,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import type { Mutant } from './mutant.ts'

/** Operators and their replacements. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '|=': ['&='],
  '^=': ['&='],
}

/** Words that are easily confused, also within a longer name (`makerRate`, `bestBid`). */
const PAIRS: readonly (readonly [string, string])[] = [
  ['maker', 'taker'],
  ['buy', 'sell'],
  ['bid', 'ask'],
  ['bids', 'asks'],
  ['base', 'quote'],
  ['available', 'locked'],
  ['paid', 'received'],
  ['incoming', 'resting'],
  ['first', 'last'],
  ['head', 'tail'],
  ['next', 'previous'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['before', 'after'],
  ['limit', 'market'],
  ['price', 'quantity'],
  ['some', 'every'],
  ['shift', 'pop'],
  ['oldest', 'newest'],
]
const WORD_FOR = new Map(PAIRS.flatMap(([one, other]) => [...twins(one, other), ...twins(other, one)]))
const WORDS_OF_A_NAME = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

function twins(word: string, twin: string): (readonly [string, string])[] {
  const capital = (text: string) => (text[0] as string).toUpperCase() + text.slice(1)
  return [
    [word, twin],
    [capital(word), capital(twin)],
    [word.toUpperCase(), twin.toUpperCase()],
  ]
}

/** Calls that only reorder or narrow a value: the mutant omits the call. */
const PASSING_ON = ['reverse', 'toReversed', 'sort', 'toSorted', 'filter', 'slice', 'subarray', 'trim']

/** All mutants of a file, in the order of its text. `file` is its path from the project's root. */
export function mutantsOf(source: SourceFile, file: string): readonly Mutant[] {
  const mutants: Mutant[] = []
  visit(source)
  return mutants.sort((one, other) => one.start - other.start || one.end - other.end)

  function visit(node: Node): void {
    if (isLeftAlone(node)) return
    for (const [operator, place, replacement] of changesAt(node)) {
      mutants.push({ file, operator, start: place.getStart(source), end: place.getEnd(), replacement })
    }
    // The text of an error is for people; only whether it is thrown is tried.
    if (!isThrowStatement(node)) node.forEachChild(visit)
  }
}

function isLeftAlone(node: Node): boolean {
  if (isImportDeclaration(node) || isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return true
  if (isTypeNode(node)) return true
  if (isNewExpression(node)) return node.expression.getText().endsWith('Error')
  return isCallExpression(node) && /^(invariant|unreachable)$/.test(node.expression.getText())
}

type Replaced = readonly [operator: string, place: Node, replacement: string]

function changesAt(node: Node): readonly Replaced[] {
  return [...literals(node), ...names(node), ...expressions(node), ...calls(node), ...statements(node)]
}

function literals(node: Node): Replaced[] {
  if (isNumericLiteral(node) || isBigIntLiteral(node)) {
    return [['number', node, `(${node.getText()} + ${isBigIntLiteral(node) ? '1n' : '1'})`]]
  }
  if (isStringLiteral(node)) {
    const twin = twinOf(node.text)
    if (twin !== undefined) return [['name', node, `'${twin}'`]]
    return [['string', node, node.text === '' ? "'mutant'" : "''"]]
  }
  const text = node.getText()
  if (text === 'true') return [['boolean', node, 'false']]
  if (text === 'false') return [['boolean', node, 'true']]
  if (isArrayLiteralExpression(node) && node.elements.length > 0) return [['array', node, '[]']]
  return []
}

function names(node: Node): Replaced[] {
  if (!isIdentifier(node) || isDeclared(node)) return []
  const twin = twinOf(node.text)
  return twin === undefined ? [] : [['name', node, twin]]
}

/** A name that is declared here rather than used: another one would change nothing, or not compile. */
function isDeclared(node: Node): boolean {
  const { parent } = node
  return !isPropertyAccessExpression(parent) && 'name' in parent && parent.name === node
}

function twinOf(name: string): string | undefined {
  const twin = name.replace(WORDS_OF_A_NAME, (word) => WORD_FOR.get(word) ?? word)
  return twin === name ? undefined : twin
}

function expressions(node: Node): Replaced[] {
  if (isBinaryExpression(node)) {
    const token = node.operatorToken
    const replacements = TOKENS[token.getText()] ?? []
    return replacements.map((replacement) => ['operator', token, replacement])
  }
  if (isPrefixUnaryExpression(node)) {
    const text = node.getText()
    if (text.startsWith('++')) return [['step', node, `--${text.slice(2)}`]]
    if (text.startsWith('--')) return [['step', node, `++${text.slice(2)}`]]
    return [['sign', node, node.operand.getText()]]
  }
  if (isPostfixUnaryExpression(node)) {
    const operand = node.operand.getText()
    return [['step', node, node.getText().endsWith('++') ? `${operand}--` : `${operand}++`]]
  }
  if (isConditionalExpression(node)) {
    const [yes, no] = [node.whenTrue.getText(), node.whenFalse.getText()]
    return [
      ['condition', node, `(${yes})`],
      ['condition', node, `(${no})`],
    ]
  }
  return []
}

function calls(node: Node): Replaced[] {
  if (!isCallExpression(node) && !isNewExpression(node)) return []
  const given = node.arguments ?? []
  const replaced: Replaced[] = []
  for (const [at, argument] of given.entries()) {
    const next = given[at + 1]
    if (next === undefined) continue
    const texts = given.map((other) => other.getText())
    texts.splice(at, 2, next.getText(), argument.getText())
    const before = isNewExpression(node) ? 'new ' : ''
    replaced.push(['arguments', node, `${before}${node.expression.getText()}(${texts.join(', ')})`])
  }
  const called = node.expression
  if (isCallExpression(node) && isPropertyAccessExpression(called)) {
    if (PASSING_ON.includes(called.name.getText())) {
      replaced.push(['call', node, called.expression.getText()])
    }
  }
  return replaced
}

function statements(node: Node): Replaced[] {
  if (isIfStatement(node)) {
    return [
      ['condition', node.expression, 'true'],
      ['condition', node.expression, 'false'],
    ]
  }
  if (isWhileStatement(node)) return [['condition', node.expression, 'false']]
  if (isForStatement(node) && node.condition !== undefined) return [['condition', node.condition, 'false']]
  const isAlone =
    (isExpressionStatement(node) && !isLeftAlone(node.expression)) ||
    isBreakStatement(node) ||
    isContinueStatement(node)
  const isBareReturn = isReturnStatement(node) && node.expression === undefined
  if (isAlone || isBareReturn || isThrowStatement(node)) return [['statement', node, '{}']]
  return []
}
