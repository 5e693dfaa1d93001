import {
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  toValueSync,
} from 'liquidjs';
import { COMPONENT_DEPTH_MAX } from '../domain/component-graph.ts';
import { RenderProblem } from './limits.ts';
import { problemOf } from './problem.ts';
import { stateOf } from './scope.ts';

type Parse = (html: string) => Template[];

/**
 * The tag `{% component 'id' %}` of email html: renders that component in place, with the current variables.
 * A missing component renders empty and adds a note. liquidjs requires tags as classes.
 */
export function componentTag(parse: Parse) {
  return class extends Tag {
    readonly componentId: string;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      this.componentId = idOf(token);
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { components, chain, notes } = stateOf(context);
      const id = this.componentId;
      const html = Object.hasOwn(components, id) ? components[id] : undefined;
      if (html === undefined) {
        notes.add(`the component "${id}" does not exist`);
        return;
      }
      if (chain.includes(id)) throw new RenderProblem(`the component "${id}" embeds itself`);
      if (chain.length >= COMPONENT_DEPTH_MAX) {
        throw new RenderProblem(
          `components are embedded in one another more than ${COMPONENT_DEPTH_MAX} deep`,
        );
      }
      chain.push(id);
      try {
        yield this.liquid.renderer.renderTemplates(parse(html), context, emitter);
      } catch (error) {
        throw new RenderProblem(`component "${id}": ${problemOf(error)}`, true);
      }
      chain.pop();
      context.breakCalled = false;
      context.continueCalled = false;
    }
  };
}

/** IDs of the components that parsed templates name, each once, in the order of the text. */
export function componentIdsIn(templates: readonly Template[]): string[] {
  const ids = new Set<string>();
  const visit = (template: Template) => {
    if ('componentId' in template && typeof template.componentId === 'string') ids.add(template.componentId);
    const children: Template[] | undefined = template.children && toValueSync(template.children(false, true));
    children?.forEach(visit);
  };
  templates.forEach(visit);
  return [...ids];
}

function idOf(token: TagToken): string {
  const value = token.tokenizer.readValue();
  token.tokenizer.skipBlank();
  if (!value || !TypeGuards.isQuotedToken(value) || value.content === '' || !token.tokenizer.end()) {
    throw new RenderProblem("component needs one ID in quotes, such as {% component 'footer' %}");
  }
  return value.content;
}
