/**
 * Lambda starts Node with these flags: `require` of an ES module fails, and a `.js` file is CommonJS unless its package declares
 * otherwise. Everything that runs bundles passes them, so that a bundle that loads here also loads in Lambda.
 */
export const LAMBDA_NODE_FLAGS: readonly string[] = [
  '--no-experimental-require-module',
  '--no-experimental-detect-module',
];
