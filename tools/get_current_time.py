"""The clock: a model does not know what time it is."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from localagent.tool import tool


@tool(effects=["reads"])
def get_current_time(timezone: str | None = None) -> str:
    """The current date, time and day of the week.

    Use it whenever an answer depends on today's date or the time of day. `timezone` is an IANA name such as
    Asia/Shanghai, Europe/Berlin or UTC; leave it out for the user's own time zone.
    """
    if timezone is None or not timezone.strip():
        return _said(datetime.now().astimezone())
    name = timezone.strip()
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(_advice(name)) from error
    return _said(datetime.now(zone), name)


def _said(now: datetime, zone: str = "") -> str:
    """`2026-03-01T09:30:00+08:00 Sunday (Asia/Shanghai)`; the day in English, whatever the locale."""
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    place = zone or now.tzname() or "local time"
    return f"{now.isoformat(timespec='seconds')} {days[now.weekday()]} ({place})"


def _advice(name: str) -> str:
    try:
        ZoneInfo("Europe/London")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return (
            "This machine has no time zone data (the Python package tzdata provides it). "
            "Call get_current_time without a timezone for the local time, and tell the user."
        )
    return (
        f"There is no time zone {name[:80]!r}. Use an IANA name such as Asia/Shanghai, Europe/Berlin, America/New_York "
        "or UTC, or leave timezone out for the user's own."
    )
