import { createStepCounter } from '../support/steps.ts';
import type { Growth } from './parsing-steps.ts';
import { CALLBACKS } from './strangers/callbacks.ts';
import { CONTENT } from './strangers/content.ts';
import { EMAILS } from './strangers/emails.ts';
import { PLAIN_TEXT } from './strangers/plain-text.ts';
import { REQUESTS } from './strangers/requests.ts';

const SIZE = 200;

const countSteps = createStepCounter();
const growths: Growth[] = [];
for (const [parser, inputs] of Object.entries({
  ...REQUESTS,
  ...EMAILS,
  ...CALLBACKS,
  ...CONTENT,
  ...PLAIN_TEXT,
})) {
  for (const [input, work] of Object.entries(inputs)) {
    const works = [SIZE, 4 * SIZE].map(work);
    // Of another size: parsed templates are held in memory.
    await work(SIZE - 1)();
    growths.push({ parser, input, steps: await countSteps(works) });
  }
}
console.log(JSON.stringify(growths));
