import type { Emitter } from 'liquidjs';
import { textOf } from '../values/value-text.ts';
import { type Budget, spendMemory, spendOutput } from './limits.ts';

/** Collects the rendered text, charged by `spend` before it is kept. */
function openEmitter(budget: Budget, spend: (budget: Budget, characters: number) => void): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = textOf(value, budget);
      spend(budget, text.length);
      this.buffer += text;
    },
  };
}

/** The emitter of a content's own text. */
export function openOutput(budget: Budget): Emitter {
  return openEmitter(budget, spendOutput);
}

/** The emitter of text that a tag keeps. */
export function openCapture(budget: Budget): Emitter {
  return openEmitter(budget, spendMemory);
}
