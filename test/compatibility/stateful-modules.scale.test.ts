import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { builtBundles } from '../infra/bundle/built-bundles.ts';
import { filesBelow, read } from '../support/project-files.ts';

/** What a function may have twice, because no copy needs what another one keeps. */
const APART: Readonly<Record<string, readonly string[]>> = {
  'no function of a resource with an ETag has it twice': ['shared/database/items/edition.ts'],
  'each client has its own lookup': ['shared/http-client/address-guard.ts'],
  'each copy computes it': [
    'shared/rendering/language/intl-formatters.ts',
    'shared/rendering/language/translate.ts',
    'shared/rendering/load-liquid.ts',
    'shared/runtime/values/ids.ts',
    'shared/schemas/fields/text.ts',
  ],
  'a template is parsed and rendered by one engine, which takes and returns texts': [
    'shared/rendering/liquid/limits.ts',
    'shared/rendering/liquid/scope.ts',
    'shared/rendering/syntax/bounded-tokens.ts',
    'shared/rendering/values/counted-list.ts',
    'shared/rendering/values/typed-values.ts',
  ],
};

const ASSIGNING = /^(?:[^=!<>]*|<<|>>+)=$/;
const CHANGING = /^(?:set|add|delete|clear|push|pop|shift|unshift|splice|run|enterWith)$/;

const treeOf = (file: string) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);

function within(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [node];
  for (const each of nodes) ts.forEachChild(each, (child) => void nodes.push(child));
  return nodes;
}

/** The variable that a node changes: `x` of `x.y = 1`, `x[0]++`, `delete x.y` and `x.set(y, 1)`. */
function changedBy(node: ts.Node): string | undefined {
  let place: ts.Node | undefined;
  if (ts.isBinaryExpression(node) && ASSIGNING.test(node.operatorToken.getText())) place = node.left;
  if (ts.isDeleteExpression(node)) place = node.expression;
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node))
    if (/^(?:\+\+|--)|(?:\+\+|--)$/.test(node.getText())) place = node.operand;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    if (CHANGING.test(node.expression.name.text)) place = node.expression.expression;
  // Set before each use.
  if (place && ts.isPropertyAccessExpression(place) && place.name.text === 'lastIndex') return undefined;
  while (place && (ts.isPropertyAccessExpression(place) || ts.isElementAccessExpression(place)))
    place = place.expression;
  return place && ts.isIdentifier(place) ? place.text : undefined;
}

const changedIn = (node: ts.Node) => new Set(within(node).map(changedBy));

const variablesOf = (statements: readonly ts.Statement[]) =>
  statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);

const isFunction = (node: ts.Node) => ts.isFunctionLike(node) && 'body' in node;

/** True for a function that returns another one, or an object of some, that changes a variable of the first. */
function makesState(made: ts.Node | undefined): boolean {
  const body = made && within(made).find(ts.isBlock);
  if (!body) return false;
  const names = variablesOf([...body.statements]).map(({ name }) => name.getText());
  const inner = within(body)
    .filter(isFunction)
    .flatMap((each) => [...changedIn(each)]);
  return names.some((name) => inner.includes(name));
}

/** The function `name` of a file, or of the file that it is imported from. */
function functionOf(tree: ts.SourceFile, name: string): ts.Node | undefined {
  for (const each of tree.statements) {
    if (ts.isFunctionDeclaration(each) && each.name?.text === name) return each;
    if (!ts.isImportDeclaration(each) || !ts.isStringLiteral(each.moduleSpecifier)) continue;
    const isNamed = within(each).some((node) => ts.isImportSpecifier(node) && node.name.text === name);
    const { text: path } = each.moduleSpecifier;
    if (isNamed && path.startsWith('.')) return functionOf(treeOf(join(dirname(tree.fileName), path)), name);
  }
  return variablesOf(tree.statements).find((each) => each.name.getText() === name)?.initializer;
}

/** Classes that some code asks for by `instanceof`. */
const asked = new Set(
  ['functions', 'shared']
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .flatMap((file) => within(treeOf(file)))
    .filter(ts.isBinaryExpression)
    .filter(({ operatorToken }) => operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword)
    .map(({ right }) => right.getText()),
);

/** What a module keeps: variables that it changes, and what is recognized as its own. */
function keptBy(file: string): string[] {
  const tree = treeOf(file);
  const changed = changedIn(tree);
  const variables = variablesOf(tree.statements).filter(({ name, initializer }) => {
    const called = initializer && ts.isCallExpression(initializer) ? initializer.expression.getText() : '';
    return changed.has(name.getText()) || makesState(functionOf(tree, called));
  });
  const classes = tree.statements
    .filter(ts.isClassDeclaration)
    .filter((each) => asked.has(each.name?.text ?? ''));
  return [...variables, ...classes].map((each) => each.name?.getText() ?? '');
}

describe('modules of the bundles', () => {
  it('that keep something, or are recognized by their class, are in a function only once', async () => {
    const { bundles, companions } = await builtBundles();
    const repeated = new Map<string, Set<string>>();
    for (const { id, sources, lazyFiles } of bundles) {
      const parts = companions.filter(({ name }) => lazyFiles.some((file) => file.name === name));
      const all = [sources, ...parts.map((part) => part.sources)].flatMap((each) => [...new Set(each)]);
      for (const path of all.filter((each, index) => all.indexOf(each) < index))
        repeated.set(path, (repeated.get(path) ?? new Set()).add(id));
    }
    expect(repeated.size).toBeGreaterThan(100);
    const keeping = [...repeated.keys()].filter((path) => keptBy(path).length > 0);
    expect(keeping.sort()).toEqual(Object.values(APART).flat().sort());
    const edited = ROUTES.filter(({ etag = 'list' }) => etag !== 'list').map(({ id }) => id);
    expect(edited.length).toBeGreaterThan(10);
    const twice = repeated.get('shared/database/items/edition.ts');
    expect(edited.filter((id) => twice?.has(id))).toEqual([]);
  });
});
