// Finds the places of a source file where a small change is a fault that a test should notice: conditions, boundaries,
// booleans, numbers, arithmetic, defaults, removed statements, swapped arguments. `mutants.ts` draws from them and tries them.

import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast"
import * as is from "typescript/unstable/ast/is"

/** A range of a text. */
export interface Range {
  readonly start: number
  readonly end: number
  /** Whether a statement that is an expression starts there. */
  readonly statement: boolean
}

/** A change: `text` replaces a range. The evaluation of the expression at `reached` reaches it. */
export interface Mutation extends Range {
  readonly text: string
  readonly reached: Range
}

const operators: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.LessThanToken]: "<=",
  [SyntaxKind.LessThanEqualsToken]: "<",
  [SyntaxKind.GreaterThanToken]: ">=",
  [SyntaxKind.GreaterThanEqualsToken]: ">",
  [SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [SyntaxKind.AmpersandAmpersandToken]: "||",
  [SyntaxKind.BarBarToken]: "&&",
  [SyntaxKind.MinusToken]: "+",
  [SyntaxKind.PlusToken]: "-",
  [SyntaxKind.AsteriskToken]: "/",
  [SyntaxKind.SlashToken]: "*",
  [SyntaxKind.PercentToken]: "*",
  [SyntaxKind.PlusEqualsToken]: "-=",
  [SyntaxKind.MinusEqualsToken]: "+="
}

const methods: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"]
])

const isText = (node: Node): boolean =>
  is.isStringLiteral(node) ||
  is.isTemplateExpression(node) ||
  is.isNoSubstitutionTemplateLiteral(node) ||
  (is.isBinaryExpression(node) && (isText(node.left) || isText(node.right)))

const isName = (node: Node | undefined): node is Node =>
  node !== undefined && (is.isIdentifier(node) || is.isPropertyAccessExpression(node))

/** Whether a node holds no code that runs. */
const isDeclaration = (node: Node): boolean =>
  is.isTypeNode(node) ||
  is.isInterfaceDeclaration(node) ||
  is.isTypeAliasDeclaration(node) ||
  is.isImportDeclaration(node) ||
  is.isExportDeclaration(node)

/** Returns the mutations of one node without its children. */
const ofNode = (node: Node, text: (node: Node) => string, range: (node: Node) => Range): Array<Mutation> => {
  const change = (part: Node, to: string, reached: Node = node): Array<Mutation> => [
    { ...range(part), text: to, reached: range(reached) }
  ]
  if (is.isBinaryExpression(node)) {
    const { left, operatorToken } = node
    if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) return change(node, `(${text(left)})`)
    const other = operators[operatorToken.kind]
    return other === undefined || (other === "-" && isText(node)) ? [] : change(operatorToken, other)
  }
  if (is.isIfStatement(node)) return change(node.expression, `!(${text(node.expression)})`, node.expression)
  if (is.isConditionalExpression(node)) return change(node.condition, `!(${text(node.condition)})`)
  if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return change(node, `(${text(node.operand)})`)
  if (node.kind === SyntaxKind.TrueKeyword) return change(node, "false")
  if (node.kind === SyntaxKind.FalseKeyword) return change(node, "true")
  if (is.isNumericLiteral(node)) return change(node, `(${text(node)} + 1)`)
  if (is.isExpressionStatement(node)) return change(node, ";", node.expression)
  if (!is.isCallExpression(node)) return []
  const name = is.isPropertyAccessExpression(node.expression) ? node.expression.name : undefined
  const other = name === undefined ? undefined : methods.get(text(name))
  if (name !== undefined && other !== undefined) return change(name, other)
  const [first, second] = node.arguments
  if (!isName(first) || !isName(second) || text(first) === text(second)) return []
  return change(first, `${text(second)}, ${text(first)}`).map((swap) => ({ ...swap, end: range(second).end }))
}

/** Returns all mutations of a source file, in the order of the tree. */
export const mutationsOf = (source: SourceFile): ReadonlyArray<Mutation> => {
  const statements = new Set<number>()
  const range = (node: Node): Range => {
    const start = node.getStart(source)
    return { start, end: node.end, statement: statements.has(start) }
  }
  const text = (node: Node): string => source.text.slice(node.getStart(source), node.end)
  const found: Array<Mutation> = []
  const visit = (node: Node): void => {
    if (isDeclaration(node)) return
    if (is.isExpressionStatement(node)) statements.add(node.getStart(source))
    found.push(...ofNode(node, text, range))
    node.forEachChild(visit)
  }
  visit(source)
  return found
}
