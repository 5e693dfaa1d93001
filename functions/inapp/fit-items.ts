import type { InappItem } from '../../shared/database/entities/inapp-item.ts';
import { responseBytes } from '../../shared/http/response-size.ts';

/**
 * Returns all items, in at most `bytesMax` bytes of a response: those that do not fit are returned without
 * their parameters.
 */
export function fitItems(items: readonly InappItem[], bytesMax: number): InappItem[] {
  let leftBytes = bytesMax;
  return items.map((item) => {
    const { parameters: _, template: __, ...short } = item;
    const bytes = responseBytes(item);
    const fitting = bytes <= leftBytes ? item : short;
    leftBytes -= fitting === item ? bytes : responseBytes(short);
    return fitting;
  });
}
