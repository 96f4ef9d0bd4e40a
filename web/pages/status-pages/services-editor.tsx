import { useState, type DragEvent } from 'react';
import type { StatusPage } from '../../app/api.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choose, Input, useFieldErrors } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MonitorPicker, useMonitors } from '../../parts/monitor-picker.tsx';
import { words } from '../../words/index.ts';
import {
  addSection,
  choose,
  place,
  remove,
  removeSection,
  step,
  stepSection,
  type Section,
  type Service,
} from './arrangement.ts';

const w = words.statusPages;

/** Services of a page below their headings, moved by dragging or by buttons. */
export function ServicesEditor(props: {
  sections: Section[];
  onChange: (sections: Section[]) => void;
}) {
  const { sections, onChange } = props;
  const monitors = useMonitors();
  const [isPicking, setPicking] = useState(false);
  const [dragged, setDragged] = useState<number | null>(null);
  const [moved, setMoved] = useState('');
  const errors = [...useFieldErrors('monitors'), ...useFieldErrors('groups')];
  const nameOf = ({ monitorId, label }: Service) =>
    label !== ''
      ? label
      : (monitors.data?.monitors.find(({ id }) => id === monitorId)?.name ??
        w.monitorNumber(monitorId));
  const ids = sections.flatMap(({ services }) => services.map(({ monitorId }) => monitorId));
  const moveTo = (key: number, index: number) => {
    if (dragged === null) return;
    const from = sections.find((section) =>
      section.services.some(({ monitorId }) => monitorId === dragged),
    );
    const at = from?.services.findIndex(({ monitorId }) => monitorId === dragged) ?? 0;
    onChange(place(sections, dragged, key, from?.key === key && at < index ? index - 1 : index));
    setDragged(null);
  };
  const replace = (changed: Service) =>
    onChange(
      sections.map((section) => ({
        ...section,
        services: section.services.map((service) =>
          service.monitorId === changed.monitorId ? changed : service,
        ),
      })),
    );
  return (
    <fieldset className="fieldset">
      <legend>{w.services}</legend>
      <p className="vh" role="status">
        {moved}
      </p>
      {ids.length === 0 && <p className="dim">{w.noServices}</p>}
      {errors.length > 0 && <p className="errors">{errors.join(' ')}</p>}
      {sections.map((section) => (
        <div
          key={section.key}
          className="gap sp-section"
          hidden={section.name === null && section.services.length === 0 && dragged === null}
          {...droppedOn(() => moveTo(section.key, section.services.length))}
        >
          {section.name !== null && (
            <SectionHead section={section} sections={sections} onChange={onChange} />
          )}
          {section.services.length === 0 && section.name !== null && (
            <p className="xs faint sp-drop">{w.emptySection}</p>
          )}
          <ul>
            {section.services.map((service, index) => (
              <ServiceRow
                key={service.monitorId}
                service={service}
                name={nameOf(service)}
                monitorName={
                  monitors.data?.monitors.find(({ id }) => id === service.monitorId)?.name ?? ''
                }
                isDragged={dragged === service.monitorId}
                onDrag={setDragged}
                dropTarget={droppedOn(() => moveTo(section.key, index))}
                onStep={(by) => {
                  onChange(step(sections, service.monitorId, by));
                  setMoved(w.moved(nameOf(service), by < 0));
                }}
                onChange={replace}
                onRemove={() => onChange(remove(sections, service.monitorId))}
              />
            ))}
          </ul>
        </div>
      ))}
      <div className="row">
        <Button icon="plus" name="monitors" onClick={() => setPicking(true)}>
          {w.addServices}
        </Button>
        <Button icon="plus" onClick={() => onChange(addSection(sections, w.newSection))}>
          {w.addSection}
        </Button>
      </div>
      {isPicking && (
        <Dialog title={w.addServices} onClose={() => setPicking(false)}>
          <MonitorPicker
            name="picked"
            label={w.services}
            picked={ids}
            onChange={(picked) => onChange(choose(sections, picked))}
          />
          <div className="acts">
            <Button look="primary" onClick={() => setPicking(false)}>
              {w.done}
            </Button>
          </div>
        </Dialog>
      )}
    </fieldset>
  );
}

/** Handlers of a place that something can be dropped on. */
function droppedOn(onDrop: () => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      event.stopPropagation();
      onDrop();
    },
  };
}

function SectionHead(props: {
  section: Section;
  sections: Section[];
  onChange: (sections: Section[]) => void;
}) {
  const {
    section: { key, name },
    sections,
    onChange,
  } = props;
  const title = name ?? '';
  const rename = (text: string) =>
    onChange(
      sections.map((section) => (section.key === key ? { ...section, name: text } : section)),
    );
  return (
    <div className="line sp-section-head">
      <input
        className="control"
        aria-label={w.sectionName}
        value={title}
        maxLength={100}
        onChange={(event) => rename(event.target.value)}
      />
      <IconButton
        icon="up"
        label={words.labels.moveUp(title)}
        onClick={() => onChange(stepSection(sections, key, -1))}
      />
      <IconButton
        icon="down"
        label={words.labels.moveDown(title)}
        onClick={() => onChange(stepSection(sections, key, 1))}
      />
      <IconButton
        icon="trash"
        label={w.removeSection(title)}
        onClick={() => onChange(removeSection(sections, key))}
      />
    </div>
  );
}

const DISPLAYS = ['bar', 'figure', 'response_time'] as const;

/** One service of a page: moved by its handle or its buttons, its settings below when opened. */
function ServiceRow({
  service,
  name,
  monitorName,
  isDragged,
  onDrag,
  dropTarget,
  onStep,
  onChange,
  onRemove,
}: {
  service: Service;
  /** Name that visitors see. */
  name: string;
  monitorName: string;
  isDragged: boolean;
  onDrag: (monitorId: number | null) => void;
  dropTarget: { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
  onStep: (by: -1 | 1) => void;
  onChange: (service: Service) => void;
  onRemove: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const field = `monitors.${service.monitorId}`;
  return (
    <li className={isDragged ? 'sp-service dragged' : 'sp-service'} {...dropTarget}>
      <div
        className="line sm sp-service-line"
        draggable={!isOpen}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', name);
          onDrag(service.monitorId);
        }}
        onDragEnd={() => onDrag(null)}
      >
        <span className="sp-grip">
          <Icon name="menu" />
        </span>
        <span className="clip grow" title={name}>
          {name}
          {monitorName !== name && <span className="xs faint"> {monitorName}</span>}
        </span>
        <IconButton icon="up" label={words.labels.moveUp(name)} onClick={() => onStep(-1)} />
        <IconButton icon="down" label={words.labels.moveDown(name)} onClick={() => onStep(1)} />
        <IconButton
          icon="edit"
          label={words.labels.editNamed(name)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="cross" label={w.takeOff(name)} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className="gap sp-service-settings">
          <Input
            name={`${field}.label`}
            label={w.label}
            placeholder={monitorName}
            value={service.label}
            maxLength={100}
            onChange={(label) => onChange({ ...service, label })}
          />
          <Choose
            name={`${field}.display`}
            label={w.display}
            value={service.display}
            onChange={(display) => onChange({ ...service, display: display as Service['display'] })}
            options={DISPLAYS.map((value) => ({ value, text: w.displays[value] }))}
          />
          <ShowAutomatic
            isOfService
            name={`${field}.show_automatic`}
            value={service.showAutomatic}
            onChange={(showAutomatic) => onChange({ ...service, showAutomatic })}
          />
        </div>
      )}
    </li>
  );
}

type Rule = StatusPage['show_automatic'];

const MINUTES = [0, 1, 2, 5, 10, 15, 30, 60];

/**
 * When a detected incident shows on the page without a person. A stored number of minutes that is not offered stays.
 *
 * @param isOfService whether it may be as the page does, which is null.
 */
export function ShowAutomatic<Value extends Rule | null>(props: {
  name: string;
  value: Value;
  onChange: (rule: Value) => void;
  isOfService?: boolean;
}) {
  const { name, value, onChange, isOfService = false } = props;
  return (
    <Choose
      name={name}
      label={w.automaticLabel}
      hint={isOfService ? undefined : w.automaticHint}
      value={value === null ? '' : codeOf(value)}
      onChange={(code) => onChange((code === '' ? null : ruleOf(code)) as Value)}
      none={isOfService ? w.asThePage : undefined}
      options={automaticOptions(value)}
    />
  );
}

function automaticOptions(value: Rule | null) {
  const stored = value !== null && 'after_minutes' in value ? [value.after_minutes] : [];
  const minutes = [...new Set([...MINUTES, ...stored])].toSorted((a, b) => a - b);
  return [
    ...minutes.map((count) => ({ value: String(count), text: w.afterMinutes(count) })),
    { value: 'never', text: w.neverAutomatic },
  ];
}

function codeOf(rule: Rule): string {
  return 'never' in rule ? 'never' : String(rule.after_minutes);
}

function ruleOf(code: string): Rule {
  return code === 'never' ? { never: true } : { after_minutes: Number(code) };
}
