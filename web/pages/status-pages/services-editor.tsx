import { useState, type DragEvent, type ReactNode } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useFieldErrors } from '../../parts/form.tsx';
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
import { ServiceRow } from './service-row.tsx';

/** Services of a page below their headings, moved by dragging or by buttons. */
export function ServicesEditor({
  sections,
  onChange,
}: {
  sections: Section[];
  onChange: (sections: Section[]) => void;
}): ReactNode {
  const w = words.statusPages;
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
          className="sp-section"
          hidden={section.name === null && section.services.length === 0 && dragged === null}
          {...dropTarget(() => moveTo(section.key, section.services.length))}
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
                dropTarget={dropTarget(() => moveTo(section.key, index))}
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
function dropTarget(onDrop: () => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      event.stopPropagation();
      onDrop();
    },
  };
}

function SectionHead({
  section: { key, name },
  sections,
  onChange,
}: {
  section: Section;
  sections: Section[];
  onChange: (sections: Section[]) => void;
}): ReactNode {
  const w = words.statusPages;
  const title = name ?? '';
  const rename = (text: string) =>
    onChange(
      sections.map((section) => (section.key === key ? { ...section, name: text } : section)),
    );
  return (
    <div className="sp-section-head">
      <input
        className="control"
        aria-label={w.sectionName}
        value={title}
        maxLength={100}
        onChange={(event) => rename(event.target.value)}
      />
      <IconButton
        look="ghost"
        icon="up"
        label={w.moveUp(title)}
        onClick={() => onChange(stepSection(sections, key, -1))}
      />
      <IconButton
        look="ghost"
        icon="down"
        label={w.moveDown(title)}
        onClick={() => onChange(stepSection(sections, key, 1))}
      />
      <IconButton
        look="ghost"
        icon="trash"
        label={w.removeSection(title)}
        onClick={() => onChange(removeSection(sections, key))}
      />
    </div>
  );
}
