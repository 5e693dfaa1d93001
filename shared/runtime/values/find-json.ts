/** Most levels that functions which call themselves can walk. */
const DEPTH_MAX = 1000;

/** Undefined for what is not JSON, or is nested more than a thousand levels deep. */
export function findJson(text: string): unknown {
  try {
    return depthOf(text) > DEPTH_MAX ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the levels of objects and lists in JSON. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === BRACE || code === BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === BRACE + 2 || code === BRACKET + 2) depth -= 1;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [34, 92, 91, 123];
