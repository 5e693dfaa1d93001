/** Most UTF-8 bytes one template may have. */
export const SOURCE_BYTES_MAX = 1024 * 1024;

/**
 * Maximum number of merge tags and tags in one template: beyond it, the library's parser takes quadratic
 * time.
 */
export const TAGS_MAX = 10_000;

/** Maximum nesting of loops, a value, or the JSON of a chat message. */
export const DEPTH_MAX = 100;

/** Most numbers a range such as `(1..10)` may span. */
export const RANGE_NUMBERS_MAX = 100_000;

export const DATE_FORMAT_CHARACTERS_MAX = 200;

/** Most characters of a notification's content on a channel, all its fields together. */
const OUTPUT_CHARACTERS_MAX = 2 * 1024 * 1024;

/**
 * Maximum evaluation steps of one content: a merge tag takes 10 to 30, so this is a digest of 10,000 items
 * with ten tags each. About 0.7 s.
 */
const STEPS_MAX = 3_000_000;

/** Most characters and list entries that filters, captures and comparisons may read or make for one content. */
const MEMORY_UNITS_MAX = 10_000_000;

/** Fallback after the limits above, which alone decide on any ordinary machine. */
const RENDER_SECONDS_MAX = 2;

/**
 * Why a template cannot be parsed or rendered, in words that are safe to return: names, limits and places, never values.
 * `located`: the text already states its place. Never leaves `shared/rendering`.
 */
export class RenderProblem extends Error {
  readonly located: boolean;

  constructor(message: string, located = false) {
    super(message);
    this.name = 'RenderProblem';
    this.located = located;
  }
}

/** The remaining budget of one content; shared by all its fields and the components they embed. */
export type Budget = {
  stepsLeft: number;
  memoryUnitsLeft: number;
  outputCharactersLeft: number;
  /** On the scale of `performance.now()`. */
  deadlineMs: number;
};

/** The budget of one content; tests narrow it. */
export function openBudget(limits: Partial<Budget> = {}): Budget {
  return {
    stepsLeft: STEPS_MAX,
    memoryUnitsLeft: MEMORY_UNITS_MAX,
    outputCharactersLeft: OUTPUT_CHARACTERS_MAX,
    deadlineMs: performance.now() + RENDER_SECONDS_MAX * 1000,
    ...limits,
  };
}

/** True if a limit that fewer items of a digest may keep was exceeded. */
export function isUsedUp({ stepsLeft, memoryUnitsLeft, outputCharactersLeft }: Budget): boolean {
  return Math.min(stepsLeft, memoryUnitsLeft, outputCharactersLeft) < 0;
}

export function spendMemory(budget: Budget, units: number): void {
  if (!(units > 0)) return;
  budget.memoryUnitsLeft -= units;
  if (budget.memoryUnitsLeft < 0) {
    throw new RenderProblem(
      `filters and captures make more than ${formatted(MEMORY_UNITS_MAX)} characters and list entries`,
    );
  }
}

export function spendOutput(budget: Budget, characters: number): void {
  budget.outputCharactersLeft -= characters;
  if (budget.outputCharactersLeft < 0) {
    throw new RenderProblem(`the content has more than ${formatted(OUTPUT_CHARACTERS_MAX)} characters`);
  }
}

/** Throws RenderProblem if rendering has taken too long at `nowMs`. */
export function checkTime(budget: Budget, nowMs: number): void {
  if (nowMs > budget.deadlineMs) {
    throw new RenderProblem(`rendering takes longer than ${RENDER_SECONDS_MAX} seconds`);
  }
}

/** The problem of a budget without steps left. */
export function tooManySteps(): RenderProblem {
  return new RenderProblem(`rendering takes more than ${formatted(STEPS_MAX)} steps`);
}

function formatted(limit: number): string {
  return limit.toLocaleString('en-US');
}
