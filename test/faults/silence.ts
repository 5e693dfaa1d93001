import { log } from '../../shared/runtime/logger.ts';

// Thousands of injected errors are no news, and their stacks take a twentieth of a run.
Object.assign(log, { info: () => {}, warn: () => {}, error: () => {} });
