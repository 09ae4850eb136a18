import { Card } from './card.tsx';

export function DangerClockCard() {
  return (
    <Card
      title="Danger clock"
      note="Not connected yet"
      tone="unknown"
      answer="Unknown"
      why="No clock is watched for this box in this version."
    />
  );
}
