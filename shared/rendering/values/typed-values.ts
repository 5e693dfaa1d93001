import { Drop, toValue } from 'liquidjs';

/** Text that is already HTML: what `escape` and `{% capture %}` return. It is not escaped again. */
export class HtmlText extends Drop {
  readonly html: string;

  constructor(html: string) {
    super();
    this.html = html;
  }

  override valueOf(): string {
    return this.html;
  }

  toJSON(): string {
    return this.html;
  }
}

/** An integer that was written or computed as a decimal, such as `2.0`: dividing by it gives decimals. */
export class WholeDecimal extends Drop {
  readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }

  override valueOf(): number {
    return this.number;
  }

  toJSON(): number {
    return this.number;
  }
}

/** The text or number of a typed value; every other value unchanged. */
export function plainOf(value: unknown): unknown {
  return value instanceof HtmlText || value instanceof WholeDecimal ? toValue(value) : value;
}

/** Characters outside the basic plane, such as most emoji, are one each. */
export function charactersIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
