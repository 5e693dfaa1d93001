import type { Locator } from 'playwright-core';

/** Share of each colour in a screenshot of an element, most frequent first, decoded by its own page. */
export async function coloursOf(locator: Locator): Promise<{ colour: string; share: number }[]> {
  const image = (await locator.screenshot({ animations: 'disabled' })).toString('base64');
  return locator.page().evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${image}'), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.slice(at, at + 3).join(' ');
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].map(([colour, count]) => ({ colour, share: (4 * count) / data.length })).sort((a, b) => b.share - a.share);
  })()`);
}
