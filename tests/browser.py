"""A real browser and the real command for tests of the page: both started, driven and watched."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FOLDER = Path(__file__).parent.parent / "puzzles"
SECONDS = 20  # for anything to appear
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--window-size=1280,900",
]  # fmt: skip
HOW = (
    "no browser found: on Debian 'apt-get install chromium chromium-driver' brings one; elsewhere name the binaries by "
    "the environment variables CHROMIUM and CHROMEDRIVER"
)


def programs():
    """The browser and its driver; without them a test is skipped, but not where nobody reads what is skipped."""
    found = [
        os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)
        for variable, names in {
            "CHROMIUM": ("chromium", "chromium-browser", "google-chrome", "chrome"), "CHROMEDRIVER": ("chromedriver",),
        }.items()
    ]  # fmt: skip
    if not all(found):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW)
    return found


@contextmanager
def served():
    """`towers serve`, ready for everything: its address."""
    command = [sys.executable, "-m", "solver", "serve", "--no-browser", "--port", "0", "--puzzles", str(FOLDER)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    complaints = []
    threading.Thread(target=lambda: complaints.extend(server.stderr), daemon=True).start()
    try:
        said = server.stdout.readline()
        address = re.match(r"http://\S+/", said)
        assert address, (said, complaints)
        until(lambda: json.load(urllib.request.urlopen(f"{address[0]}api/status", timeout=9))["ready"], 300)
        yield address[0]
    finally:
        server.terminate()
        server.wait(20)
    assert not [line for line in complaints if "Traceback" in line], complaints


@contextmanager
def browsing(folder):
    """A browser with a fresh profile, that notes whatever it asks any server for."""
    browser, driver_path = programs()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in [*FLAGS, f"--user-data-dir={folder}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, Service(driver_path))
    try:
        yield driver
    finally:
        driver.quit()


def until(condition, seconds=SECONDS, what=""):
    """What a condition comes to, as soon as it holds."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"did not happen within {seconds} seconds: {what}"
        time.sleep(0.02)


class Page:
    """The page, as its user sees it: what is found is visible, what is clicked is not covered by anything."""

    def __init__(self, driver, address, downloads):
        self.driver, self.address, self.downloads = driver, address, downloads
        self.refusals = 0  # requests that were meant to be refused; the browser notes each of them

    def begin(self):
        """As if the page was never used before."""
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(self.downloads)}
        )
        self.driver.get(f"{self.address}icon.svg")  # where no script of the page keeps anything meanwhile
        self.run("localStorage.clear()")
        self.screen()
        for log in ("browser", "performance"):
            self.driver.get_log(log)

    def open(self, view, **params):
        """The address of a view, afresh."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}#/{view}" + ("?" + urlencode(params, quote_via=quote) if params else ""))
        until(lambda: self.run("return document.querySelector('main .view, main > .fault') !== null"))

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def screen(self, width=1280, height=900, dark=False, calm=True):
        """A window of a size; dark or light; calm: dice do not roll in sight."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else ""},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def all(self, css, text=None):
        """What there is to see of a selector, with just this text (or its first word in a line of a menu)."""
        return self.run(FIND, css, text)

    def one(self, css, text=None):
        """The first of them, as soon as it is there."""
        return until(lambda: self.all(css, text), what=f"{css} {text or ''}")[0]

    def click(self, css, text=None):
        def click():
            try:
                self.one(css, text).click()
                return True
            except StaleElementReferenceException:  # drawn anew in this moment
                return False

        until(click)

    def texts(self, css):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)", css)

    def text(self, css):
        return until(lambda: self.texts(css), what=css)[0]

    def see(self, css, part):
        """Wait until a text is there."""
        until(lambda: any(part in text for text in self.texts(css)), what=f"{part!r} in {css}")

    def now(self, css):
        return self.driver.find_elements("css selector", css)

    def type(self, css, text, end=Keys.TAB):
        field = self.one(css)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, end)

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, css):
        """Go on with the tab key until something of the selector has the focus."""
        for _ in range(60):
            if self.run("return document.activeElement.matches(arguments[0])", css):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{css} cannot be reached by the tab key")

    def point_at(self, element):
        ActionChains(self.driver).move_to_element(element).perform()

    def drag(self, start, end):
        mouse = ActionChains(self.driver, 50).click_and_hold(start).move_by_offset(9, 9)
        mouse.move_to_element(end).release().perform()

    def labelled(self, label):
        """The control under a label."""
        return until(lambda: self.run(LABELLED, label), what=label)

    def unfold(self, title):
        self.click("summary", title)

    @property
    def params(self):
        return dict(parse_qsl(self.run("return location.hash").partition("?")[2]))

    @property
    def record(self):
        return self.params.get("record", "")

    @property
    def board(self):
        """The picture in words, which its description is."""
        return self.run("return document.querySelector('.picture svg desc')?.textContent ?? ''")

    def saved(self, name):
        """The text of a file that was saved."""
        path = self.downloads / name
        until(lambda: path.exists() and path.stat().st_size)
        return path.read_text("utf-8")

    def check(self):
        """Nothing went wrong behind the scenes, and nothing was asked of anybody else."""
        said = self.driver.get_log("browser")
        errors = [entry["message"] for entry in said if entry["level"] in ("SEVERE", "WARNING")]
        refused = [message for message in errors if "status of 422" in message]
        assert len(refused) == self.refusals
        assert errors == refused
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith((self.address, "data:", "blob:", "about:")), url


FIND = """
const [css, text] = arguments;
const first = (each) => (each.firstChild?.nodeType === Node.TEXT_NODE ? each.firstChild.data : each.innerText ?? "");
const said = (each) => first(each.querySelector(":scope > b, :scope > .name") ?? each).trim();
const fits = (each) => each.checkVisibility() && (text === null || said(each) === text);
return [...document.querySelectorAll(css)].filter(fits);
"""
LABELLED = """
const label = [...document.querySelectorAll("label")].find((each) => each.innerText.trim().startsWith(arguments[0]));
return label?.querySelector("input, select");
"""
