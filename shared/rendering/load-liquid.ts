import { loadOnce } from '../runtime/async/lazily.ts';

/** What sending needs of Liquid, loaded with the first content that needs it. An import looks for its file with every call. */
export const loadLiquid = /* @__PURE__ */ loadOnce(
  async () => (await import('./liquid/liquid-parts.ts')).liquid,
);
