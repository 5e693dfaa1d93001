import { expect, it } from 'vitest';
import { hasRemoteImages } from '../../studio/src/parts/remote-images.ts';

it.each([
  ['<img src="https://a.example/x.png">', true],
  ["<IMG alt='>' SRC = 'http://a.example/x.png'>", true],
  ['<img src=https://a.example/x.png>', true],
  ['<img src="//a.example/x.png">', true],
  ['<td background="https://a.example/x.png">', true],
  ['<p style="background:url( \'https://a.example/x.png\')">', true],
  ['<a href="https://a.example">Link</a>', false],
  ['<img src="data:image/png;base64,AA">', false],
  ['<img src="cid:logo">', false],
  ['<p>src https://a.example</p>', false],
])('finds remote images in %s: %s', (html, expected) => {
  expect(hasRemoteImages(html)).toBe(expected);
});

it.each(['<img ', '<a ', 'url( ', 'src= ', '<a <img src', 'src="'])(
  'takes linear time for many %j',
  (part) => {
    const timeOf = (count: number) => {
      const html = part.repeat(count);
      const startedMs = performance.now();
      hasRemoteImages(html);
      return performance.now() - startedMs;
    };
    timeOf(1000);
    expect(timeOf(200_000)).toBeLessThan(1000);
  },
);
