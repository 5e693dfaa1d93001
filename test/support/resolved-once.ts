import { registerHooks } from 'node:module';

/**
 * Vitest tells its main process of each import, also when `import()` names a loaded module again, as many requests do: 4 %
 * of a run. What a file of this project imports by a relative path is therefore resolved here; watch mode does not learn of it.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions, importAttributes } = context;
    const isOwn = /^\..*\.ts$/.test(specifier) && parentURL.endsWith('.ts');
    if (!isOwn || !conditions.includes('import') || Object.keys(importAttributes).length > 0)
      return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
