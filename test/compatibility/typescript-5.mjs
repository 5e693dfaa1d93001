import { registerHooks } from 'node:module';

/** The generators use the API of TypeScript 5, which version 7 does not have. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
});
